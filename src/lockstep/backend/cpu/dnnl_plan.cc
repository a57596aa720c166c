// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/dnnl_plan.h"

#include <new>
#include <unordered_map>

#include "lockstep/base/check.h"
#include "lockstep/tensor/buffer.h"

namespace lockstep {
namespace {

// A primitive of R50-FPN takes 18 KiB on average (4 MB for 218), conversions less.
constexpr std::size_t kPrimitiveBytes = std::size_t{20} << 10;
constexpr std::size_t kConversionBytes = std::size_t{6} << 10;

dnnl::memory::data_type data_type(DType dtype) {
  switch (dtype) {
    case DType::kF32: return dnnl::memory::data_type::f32;
    case DType::kI32: return dnnl::memory::data_type::s32;
    case DType::kU8: return dnnl::memory::data_type::u8;
    default: LS_THROW(kInternal, "oneDNN has no type for {}", to_string(dtype));
  }
}

dnnl::memory::format_tag tag_of(Layout layout) {
  switch (layout) {
    case Layout::kPlain: return dnnl::memory::format_tag::nchw;
    case Layout::kNChw8c: return dnnl::memory::format_tag::nChw8c;
    case Layout::kNChw16c: return dnnl::memory::format_tag::nChw16c;
  }
  LS_THROW(kInternal, "unknown layout");
}

// oneDNN 2.6 does not check whether it got memory for the code that it generates: it crashes. So ask for more than it
// takes before, and give it back; it costs one system call per primitive, and those are kept.
void require_code_memory() {
  constexpr std::size_t kHeadroom = std::size_t{32} << 20;
  Buffer probe;
  probe.reserve(kHeadroom);
}

dnnl::primitive make_primitive(const dnnl::primitive_desc_base& primitive) {
  require_code_memory();
  return dnnl::primitive(primitive.get());
}

dnnl::primitive make_convert(const dnnl::memory::desc& from, const dnnl::memory::desc& to) {
  require_code_memory();
  return dnnl::reorder({cpu_engine(), from, cpu_engine(), to, user_scratchpad()});
}

const char* argument_name(int argument) {
  switch (argument) {
    case DNNL_ARG_SRC: return "X";
    case DNNL_ARG_DST: return "Y";
    case DNNL_ARG_WEIGHTS: return "W";
    case DNNL_ARG_BIAS: return "b";
    case DNNL_ARG_DIFF_SRC: return "dX";
    case DNNL_ARG_DIFF_DST: return "dY";
    case DNNL_ARG_DIFF_WEIGHTS: return "dW";
    case DNNL_ARG_DIFF_BIAS: return "db";
    default: return "workspace";
  }
}

}  // namespace

DnnlPlan::DnnlPlan(const dnnl::primitive_desc_base& primitive, const std::vector<Port>& inputs,
                   const std::vector<Port>& outputs)
    : primitive_(make_primitive(primitive)),
      implementation_(primitive.impl_info_str()),
      scratchpad_(primitive.scratchpad_desc()) {
  for (const Port& port : inputs) add_slot(primitive, port, false);
  for (const Port& port : outputs) add_slot(primitive, port, true);
}

void DnnlPlan::add_slot(const dnnl::primitive_desc_base& primitive, const Port& port, bool output) {
  Slot slot{port.argument, port.desc, primitive.query_md(dnnl::query::exec_arg_md, port.argument), {}, output};
  if (slot.wanted != slot.ours) {
    slot.convert = output ? make_convert(slot.wanted, slot.ours) : make_convert(slot.ours, slot.wanted);
  }
  slots_.push_back(slot);
}

void DnnlPlan::run(CpuDevice& device, const std::vector<void*>& data) const {
  LS_ASSERT(data.size() == slots_.size(), "plan with {} ports run on {}", slots_.size(), data.size());
  dnnl::engine& engine = cpu_engine();
  dnnl::stream stream(engine);
  ScratchPool::Lease scratch = device.scratch().lease();
  std::unordered_map<int, dnnl::memory> arguments;
  const std::size_t scratch_bytes = scratchpad_.get_size();
  if (scratch_bytes > 0) {
    arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(scratchpad_, engine, scratch->reserve(0, scratch_bytes)));
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!slot.convert) {
      arguments.emplace(slot.argument, dnnl::memory(slot.ours, engine, data[i]));
      continue;
    }
    dnnl::memory wanted(slot.wanted, engine, scratch->reserve(i + 1, slot.wanted.get_size()));
    arguments.emplace(slot.argument, wanted);
    if (slot.output) continue;
    dnnl::memory ours(slot.ours, engine, data[i]);
    slot.convert.execute(stream, {{DNNL_ARG_FROM, ours}, {DNNL_ARG_TO, wanted}});
  }
  primitive_.execute(stream, arguments);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!slot.convert || !slot.output) continue;
    dnnl::memory ours(slot.ours, engine, data[i]);
    slot.convert.execute(stream, {{DNNL_ARG_FROM, arguments.at(slot.argument)}, {DNNL_ARG_TO, ours}});
  }
  stream.wait();
}

std::size_t DnnlPlan::bytes() const {
  std::size_t sum = kPrimitiveBytes;
  for (const Slot& slot : slots_) {
    if (slot.convert) sum += kConversionBytes;
  }
  return sum;
}

DnnlReport DnnlPlan::report() const {
  DnnlReport report{implementation_, layout, {scratchpad_.get_size()}, {}};
  for (const Slot& slot : slots_) {
    report.scratch_bytes.push_back(slot.convert ? slot.wanted.get_size() : 0);
    if (slot.convert) report.converted.push_back(argument_name(slot.argument));
  }
  return report;
}

dnnl::engine& cpu_engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::primitive_attr user_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::memory::desc image_desc(const Shape& shape, Layout layout, DType dtype) {
  return {shape, data_type(dtype), tag_of(layout)};
}

dnnl::memory::desc any_desc(const Shape& shape) {
  return {shape, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

dnnl::memory::desc plain_desc(const Shape& shape, DType dtype) {
  Shape strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * std::max<std::int64_t>(shape[axis], 1);
  }
  return {shape, data_type(dtype), strides};
}

std::optional<Layout> layout_of(const dnnl::memory::desc& desc) {
  const DType dtype = desc.data_type() == dnnl::memory::data_type::u8    ? DType::kU8
                      : desc.data_type() == dnnl::memory::data_type::s32 ? DType::kI32
                                                                         : DType::kF32;
  for (const Layout layout : {Layout::kPlain, Layout::kNChw8c, Layout::kNChw16c}) {
    if (desc == image_desc(desc.dims(), layout, dtype)) return layout;
  }
  return std::nullopt;
}

void translate_dnnl_errors(const std::function<std::string()>& what, const std::function<void()>& work) {
  try {
    work();
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) {
      LS_THROW(kDevice, "out of memory in {}; use smaller images or fewer workers", what());
    }
    LS_THROW(kInternal, "oneDNN failed in {}: {}", what(), error.message);
  }
}

PrimitiveKey plan_key(PlanKind kind, const CpuDevice& device) {
  static const auto isa = static_cast<std::int64_t>(dnnl::get_effective_cpu_isa());
  PrimitiveKey key;
  key.reserve(32);
  key.insert(key.end(), {static_cast<std::int64_t>(kind), device.threads(), isa});
  return key;
}

void append(PrimitiveKey& key, const Shape& shape) { key.insert(key.end(), shape.begin(), shape.end()); }
void append(PrimitiveKey& key, Layout layout) { key.push_back(static_cast<std::int64_t>(layout)); }

std::shared_ptr<const DnnlPlan> find_plan(CpuDevice& device, const PrimitiveKey& key,
                                          const std::function<std::string()>& what,
                                          const std::function<std::shared_ptr<DnnlPlan>()>& make) {
  device.enter_thread();
  return device.primitives().get(key, [&] {
    std::shared_ptr<const DnnlPlan> plan;
    translate_dnnl_errors(what, [&] { plan = make(); });
    return plan;
  });
}

void run_plan(CpuDevice& device, const DnnlPlan& plan, const std::function<std::string()>& what,
              const std::vector<const void*>& inputs, const std::vector<void*>& outputs) {
  std::vector<void*> data;
  // oneDNN takes inputs as void* too; it does not write to them.
  for (const void* input : inputs) data.push_back(const_cast<void*>(input));
  data.insert(data.end(), outputs.begin(), outputs.end());
  translate_dnnl_errors(what, [&] { plan.run(device, data); });
}

}  // namespace lockstep
