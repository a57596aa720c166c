// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/operator.h"

#include <fmt/format.h>

#include <chrono>
#include <new>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_read_range(void* address, unsigned long size);
extern "C" void __tsan_write_range(void* address, unsigned long size);
#endif

namespace lockstep {
namespace {

// Kernels of libraries are not instrumented: without these marks a race on a tensor that only such
// kernels touch would be invisible to ThreadSanitizer.
void mark_read([[maybe_unused]] const Tensor& tensor) {
#if defined(__SANITIZE_THREAD__)
  if (tensor.bytes() > 0) __tsan_read_range(const_cast<void*>(tensor.raw()), tensor.bytes());
#endif
}

void mark_write([[maybe_unused]] Tensor& tensor) {
#if defined(__SANITIZE_THREAD__)
  if (tensor.bytes() > 0) __tsan_write_range(tensor.raw(), tensor.bytes());
#endif
}

bool fully_known(const Shape& shape) {
  for (const std::int64_t size : shape) {
    if (size < 0) return false;
  }
  return true;
}

const OpSchema& checked_schema(const OperatorDef& def, const OpCatalog& catalog) {
  const OpSchema& schema = catalog.find(def.type());
  const std::vector<std::string> problems = schema.check_blobs(def);
  if (!problems.empty()) LS_THROW(kGraph, "op '{}': {}", def.name(), fmt::join(problems, "; "));
  return schema;
}

}  // namespace

DeviceId device_id(const DeviceOption& option) {
  LS_CHECK(kGraph, option.type().empty() || option.type() == "cpu" || option.type() == "cuda",
           "device type '{}' does not exist; wanted cpu or cuda", option.type());
  return {option.type() == "cuda" ? DeviceType::kCuda : DeviceType::kCpu, option.index()};
}

DeviceContext& NetEnvironment::device(const DeviceOption& option) const {
  const DeviceId wanted = device_id(option);
  std::vector<std::string> known;
  for (DeviceContext* one : devices) {
    if (one->id() == wanted) return *one;
    known.push_back(to_string(one->id()));
  }
  LS_THROW(kGraph, "device {} does not exist here; there are {}", to_string(wanted), join_words(known));
}

Operator::Operator(const OperatorDef& def, const NetEnvironment& environment)
    : def_(def),
      schema_(checked_schema(def, *environment.catalog)),
      args_(schema_.resolve(def)),
      device_(&environment.device(def.device_option())),
      real_(environment.engine == Engine::kReference ? DType::kF64 : DType::kF32),
      context_(args_, *device_, def_.name(), environment.seed),
      on_op_(environment.on_op) {
  const KernelFactory& factory = schema_.kernel(environment.engine);
  LS_CHECK(kUnsupported, factory != nullptr, "[{}] has no {} kernel", def.type(),
           environment.engine == Engine::kReference ? "reference" : "cpu");
  for (const std::string& name : def.input()) {
    LS_CHECK(kGraph, environment.workspace->has(name), "op {} '{}' reads blob '{}', which nothing has made", def.type(),
             def.name(), name);
    inputs_.push_back(&environment.workspace->get(name));
  }
  for (const std::string& name : def.output()) context_.outputs_.push_back(&environment.workspace->create(name));
  context_.input_names_.assign(def.input().begin(), def.input().end());
  context_.input_blobs_ = inputs_;
  context_.inputs_.resize(inputs_.size());
  converted_.resize(inputs_.size());
  kernel_ = factory();
}

void Operator::prepare_inputs() {
  const LayoutRule rule = schema_.layout_rule();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Tensor& tensor = inputs_[i]->tensor();
    mark_read(tensor);
    Layout wanted = tensor.layout();
    if (rule == LayoutRule::kPlain) wanted = Layout::kPlain;
    if (rule == LayoutRule::kSame && tensor.rank() == 4) wanted = inputs_[0]->tensor().layout();
    if (wanted == tensor.layout()) {
      context_.inputs_[i] = &tensor;
    } else {
      borrow_converted(i, arena_bytes(tensor.dtype(), tensor.shape()));
      convert_layout(tensor, wanted, converted_[i]);
      context_.inputs_[i] = &converted_[i];
    }
  }
}

void Operator::infer() {
  bool changed = input_infos_.size() != inputs_.size() || output_infos_.empty();
  input_infos_.resize(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Tensor& tensor = *context_.inputs_[i];
    if (input_infos_[i].dtype == tensor.dtype() && input_infos_[i].shape == tensor.shape()) continue;
    input_infos_[i] = {tensor.dtype(), tensor.shape()};
    changed = true;
  }
  if (!changed) return;
  output_infos_.clear();  // a failing inference must not leave the old result behind
  output_infos_ = schema_.infer_outputs(args_, input_infos_, context_.output_count(), real_);
}

void Operator::share_memory(Arena& arena, const std::vector<BorrowedBlob*>& blobs) {
  arena_ = &arena;
  borrowed_outputs_.assign(context_.outputs_.size(), nullptr);
  for (std::size_t o = 0; o < context_.outputs_.size(); ++o) {
    for (BorrowedBlob* blob : blobs) {
      if (blob->blob == context_.outputs_[o]) borrowed_outputs_[o] = blob;
    }
  }
}

void Operator::borrow_converted(std::size_t i, std::size_t bytes) {
  if (arena_ == nullptr || bytes < Arena::kSmallest || converted_[i].capacity_bytes() > 0) return;
  converted_[i] = arena_->take(bytes);
}

void Operator::borrow_outputs() {
  for (std::size_t o = 0; o < borrowed_outputs_.size() && o < output_infos_.size(); ++o) {
    BorrowedBlob* blob = borrowed_outputs_[o];
    const TensorInfo& info = output_infos_[o];
    if (blob == nullptr || !fully_known(info.shape) || blob->blob->tensor().capacity_bytes() > 0) continue;
    const std::size_t bytes = arena_bytes(info.dtype, info.shape);
    if (bytes < Arena::kSmallest) continue;
    blob->blob->tensor() = blob->arena->take(bytes);
    blob->borrowed = true;
  }
}

void Operator::return_converted() {
  if (arena_ == nullptr) return;
  for (Tensor& tensor : converted_) {
    if (tensor.capacity_bytes() >= Arena::kSmallest) arena_->give(std::move(tensor));
  }
}

void Operator::prepare_outputs() {
  borrow_outputs();
  const LayoutRule rule = schema_.layout_rule();
  if (rule == LayoutRule::kOwn) return;
  for (std::size_t o = 0; o < output_infos_.size(); ++o) {
    const TensorInfo& info = output_infos_[o];
    if (!fully_known(info.shape)) continue;
    const bool follows = rule == LayoutRule::kSame && info.shape.size() == 4 && !inputs_.empty();
    const Layout layout = follows ? context_.inputs_[0]->layout() : Layout::kPlain;
    Tensor& tensor = context_.outputs_[o]->tensor();
    // Resizing a blob that is also an input would lose what the kernel has to read.
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i] != context_.outputs_[o] || context_.inputs_[i] != &tensor) continue;
      if (tensor.dtype() == info.dtype && tensor.shape() == info.shape && tensor.layout() == layout) continue;
      borrow_converted(i, tensor.bytes());
      converted_[i].copy_from(tensor);
      context_.inputs_[i] = &converted_[i];
    }
    tensor.resize(info.dtype, info.shape, layout);
  }
}

void Operator::run() {
  if (!on_op_) {
    run_kernel();
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  run_kernel();
  on_op_(def_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void Operator::run_kernel() {
  struct ReturnConverted {
    Operator& op;
    ~ReturnConverted() { op.return_converted(); }
  } return_converted{*this};
  try {
    prepare_inputs();
    infer();
    prepare_outputs();
    kernel_->run(context_);
    for (Blob* blob : context_.outputs_) mark_write(blob->tensor());
  } catch (Error& error) {
    error.add_note(describe());
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kDevice, "out of memory").add_note(describe());
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kInternal, error.what()).add_note(describe());
  }
}

std::string Operator::describe() const {
  std::vector<std::string> blobs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    blobs.push_back(fmt::format("{} {}", def_.input(static_cast<int>(i)), inputs_[i]->tensor().describe()));
  }
  // Worker w of this process is the one on the device with index w.
  std::string text = fmt::format("in op {} '{}' on worker {} ({})", def_.type(), def_.name(), device_->id().index,
                                 to_string(device_->id()));
  if (!blobs.empty()) text += fmt::format(", reading {}", fmt::join(blobs, ", "));
  if (def_.output_size() > 0) text += fmt::format(", writing {}", fmt::join(def_.output(), ", "));
  return text;
}

}  // namespace lockstep
