// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"

namespace lockstep {
namespace {

bool sizes_agree(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a == b; }

// The value that an Argument holds, as the kind of `wanted`; an int widens to a float.
bool read_argument(const Argument& argument, const ArgValue& wanted, ArgValue& value) {
  switch (wanted.index()) {
    case 0:
      if (!argument.has_i()) return false;
      value = static_cast<std::int64_t>(argument.i());
      return true;
    case 1:
      if (!argument.has_f() && !argument.has_i()) return false;
      value = argument.has_f() ? argument.f() : static_cast<double>(argument.i());
      return true;
    case 2:
      if (!argument.has_s()) return false;
      value = argument.s();
      return true;
    case 3: value = std::vector<std::int64_t>(argument.ints().begin(), argument.ints().end()); break;
    case 4: value = std::vector<double>(argument.floats().begin(), argument.floats().end()); break;
    default: value = std::vector<std::string>(argument.strings().begin(), argument.strings().end()); break;
  }
  // A list argument is the wrong kind when something else is set; empty lists look alike.
  const bool scalar_set = argument.has_i() || argument.has_f() || argument.has_s();
  const int set = (argument.ints_size() > 0) + (argument.floats_size() > 0) + (argument.strings_size() > 0);
  const bool own_set = wanted.index() == 3   ? argument.ints_size() > 0
                       : wanted.index() == 4 ? argument.floats_size() > 0
                                             : argument.strings_size() > 0;
  return !scalar_set && set == (own_set ? 1 : 0);
}

std::vector<double> as_numbers(const ArgValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return {static_cast<double>(*i)};
  if (const auto* f = std::get_if<double>(&value)) return {*f};
  if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value)) return {ints->begin(), ints->end()};
  if (const auto* floats = std::get_if<std::vector<double>>(&value)) return *floats;
  return {};
}

std::string count_text(std::size_t minimum, std::size_t maximum, bool variadic) {
  if (variadic) return fmt::format("at least {}", minimum);
  if (minimum == maximum) return fmt::format("{}", minimum);
  return fmt::format("{} to {}", minimum, maximum);
}

}  // namespace

std::string to_string(const TensorInfo& info) { return std::string(to_string(info.dtype)) + to_string(info.shape); }

void InferContext::require_rank(int i, int rank) const {
  LS_CHECK(kShape, static_cast<int>(input(i).shape.size()) == rank, "[{}] input '{}' must have {} axes, got {}",
           schema_.type(), schema_.input_name(i), rank, to_string(input(i)));
}

void InferContext::require_dtype(int i, DType dtype) const {
  LS_CHECK(kShape, input(i).dtype == dtype, "[{}] input '{}' must be {}, got {}", schema_.type(), schema_.input_name(i),
           to_string(dtype), to_string(input(i)));
}

void InferContext::require_dim(int i, int axis, std::int64_t size, const std::string& what) const {
  LS_CHECK(kShape, axis < static_cast<int>(input(i).shape.size()) && sizes_agree(dim(i, axis), size),
           "[{}] input '{}' must have size {} on axis {} ({}), got {}", schema_.type(), schema_.input_name(i), size,
           axis, what, to_string(input(i)));
}

void InferContext::require_same_shape(int i, int j) const {
  const Shape& a = input(i).shape;
  const Shape& b = input(j).shape;
  LS_CHECK(kShape, a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), sizes_agree),
           "[{}] inputs '{}' and '{}' must have one shape, got {} and {}", schema_.type(), schema_.input_name(i),
           schema_.input_name(j), to_string(input(i)), to_string(input(j)));
}

std::string GradientContext::input_gradient(int i) const {
  const auto& inputs = op_.input();
  // An operator that reads a blob twice gives it two gradients.
  const bool repeated = std::find(inputs.begin(), inputs.begin() + i, inputs[i]) != inputs.begin() + i;
  return inputs[i] + "_grad" + (repeated ? fmt::format("_{}", i) : "");
}

OperatorDef GradientContext::make(const std::string& type, const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs) const {
  OperatorDef gradient;
  gradient.set_type(type);
  gradient.set_name(op_.name().empty() ? "" : op_.name() + "_grad");
  for (const std::string& name : inputs) gradient.add_input(name);
  for (const std::string& name : outputs) gradient.add_output(name);
  *gradient.mutable_arg() = op_.arg();
  if (op_.has_device_option()) *gradient.mutable_device_option() = op_.device_option();
  gradient.set_is_gradient_op(true);
  return gradient;
}

OpSchema& OpSchema::doc(std::string text) {
  doc_ = std::move(text);
  return *this;
}
OpSchema& OpSchema::input(std::string name, std::string text) {
  inputs_.push_back({std::move(name), std::move(text)});
  minimum_inputs_ = static_cast<int>(inputs_.size());
  return *this;
}
OpSchema& OpSchema::output(std::string name, std::string text) {
  outputs_.push_back({std::move(name), std::move(text)});
  minimum_outputs_ = static_cast<int>(outputs_.size());
  return *this;
}
OpSchema& OpSchema::optional_inputs(int count) {
  minimum_inputs_ = static_cast<int>(inputs_.size()) - count;
  return *this;
}
OpSchema& OpSchema::optional_outputs(int count) {
  minimum_outputs_ = static_cast<int>(outputs_.size()) - count;
  return *this;
}
OpSchema& OpSchema::variadic_inputs(int minimum) {
  variadic_inputs_ = true;
  minimum_inputs_ = minimum;
  return *this;
}
OpSchema& OpSchema::variadic_outputs(int minimum) {
  variadic_outputs_ = true;
  minimum_outputs_ = minimum;
  return *this;
}
OpSchema& OpSchema::arg(std::string name, ArgValue default_value, std::string text) {
  args_.push_back({std::move(name), std::move(default_value), std::move(text)});
  return *this;
}
OpSchema& OpSchema::required_arg(std::string name, ArgValue kind_example, std::string text) {
  arg(std::move(name), std::move(kind_example), std::move(text));
  args_.back().required = true;
  return *this;
}
OpSchema& OpSchema::range(double low, double high) {
  LS_ASSERT(!args_.empty(), "[{}] range() without an argument before it", type_);
  args_.back().low = low;
  args_.back().high = high;
  return *this;
}
OpSchema& OpSchema::in_place(int input, int output) {
  in_place_.insert({input, output});
  return *this;
}
OpSchema& OpSchema::in_place_any() {
  in_place_any_ = true;
  return *this;
}
OpSchema& OpSchema::layouts(LayoutRule rule) {
  layout_rule_ = rule;
  return *this;
}
OpSchema& OpSchema::infer(InferFunction function) {
  infer_ = std::move(function);
  return *this;
}
OpSchema& OpSchema::flops(FlopsFunction function) {
  flops_ = std::move(function);
  return *this;
}
OpSchema& OpSchema::flops_per_output(double count) {
  return flops(
      [count](const OpSizes& sizes) { return count * static_cast<double>(element_count(sizes.outputs[0].shape)); });
}
OpSchema& OpSchema::chooser(KernelChooser function) {
  chooser_ = std::move(function);
  return *this;
}
OpSchema& OpSchema::gradient(GradientRule rule) {
  gradient_ = std::move(rule);
  return *this;
}
OpSchema& OpSchema::no_gradient(std::string reason) {
  no_gradient_reason_ = std::move(reason);
  return *this;
}
OpSchema& OpSchema::cpu(KernelFactory factory) {
  cpu_ = std::move(factory);
  return *this;
}
OpSchema& OpSchema::reference(KernelFactory factory) {
  reference_ = std::move(factory);
  return *this;
}

std::string OpSchema::input_name(int i) const {
  const int last = static_cast<int>(inputs_.size()) - 1;
  if (!variadic_inputs_ || i < last)
    return i <= last ? inputs_[static_cast<std::size_t>(i)].name : fmt::format("#{}", i);
  return fmt::format("{}[{}]", inputs_.back().name, i - last);
}

std::string OpSchema::output_name(int i) const {
  const int last = static_cast<int>(outputs_.size()) - 1;
  if (!variadic_outputs_ || i < last) {
    return i <= last ? outputs_[static_cast<std::size_t>(i)].name : fmt::format("#{}", i);
  }
  return fmt::format("{}[{}]", outputs_.back().name, i - last);
}

OpArgs OpSchema::resolve(const OperatorDef& op) const {
  std::vector<std::string> problems;
  std::map<std::string, ArgValue> values;
  std::vector<std::string> known;
  for (const Arg& declared : args_) known.push_back(declared.name);
  for (const Argument& argument : op.arg()) {
    const auto declared =
        std::find_if(args_.begin(), args_.end(), [&](const Arg& one) { return one.name == argument.name(); });
    if (declared == args_.end()) {
      const std::string nearest = nearest_name(argument.name(), known);
      problems.push_back(fmt::format("unknown argument '{}'{}", argument.name(),
                                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
      continue;
    }
    ArgValue value;
    if (!read_argument(argument, declared->default_value, value)) {
      problems.push_back(
          fmt::format("argument '{}' must be of kind {}", argument.name(), kind_name(declared->default_value)));
      continue;
    }
    for (const double number : as_numbers(value)) {
      if (!(number >= declared->low && number <= declared->high)) {
        problems.push_back(fmt::format("argument '{}' must lie in [{}, {}], got {}", argument.name(), declared->low,
                                       declared->high, number));
      }
    }
    if (!values.emplace(argument.name(), std::move(value)).second) {
      problems.push_back(fmt::format("argument '{}' is given twice", argument.name()));
    }
  }
  for (const Arg& declared : args_) {
    if (values.contains(declared.name)) continue;
    if (declared.required) problems.push_back(fmt::format("argument '{}' is missing: {}", declared.name, declared.doc));
    values.emplace(declared.name, declared.default_value);
  }
  if (!problems.empty()) LS_THROW(kGraph, "[{}] {}", type_, fmt::join(problems, "; "));
  return OpArgs(std::move(values));
}

std::vector<std::string> OpSchema::check_blobs(const OperatorDef& op) const {
  std::vector<std::string> problems;
  const auto inputs = static_cast<std::size_t>(op.input_size());
  const auto outputs = static_cast<std::size_t>(op.output_size());
  if (inputs < static_cast<std::size_t>(minimum_inputs_) || (!variadic_inputs_ && inputs > inputs_.size())) {
    problems.push_back(fmt::format("[{}] wants {} inputs, got {}", type_,
                                   count_text(minimum_inputs_, inputs_.size(), variadic_inputs_), inputs));
  }
  if (outputs < static_cast<std::size_t>(minimum_outputs_) || (!variadic_outputs_ && outputs > outputs_.size())) {
    problems.push_back(fmt::format("[{}] wants {} outputs, got {}", type_,
                                   count_text(minimum_outputs_, outputs_.size(), variadic_outputs_), outputs));
  }
  for (int o = 0; o < op.output_size(); ++o) {
    for (int i = 0; i < op.input_size(); ++i) {
      if (op.input(i) == op.output(o) && !may_be_in_place(i, o)) {
        problems.push_back(fmt::format("[{}] output '{}' may not overwrite input '{}' (blob '{}')", type_,
                                       output_name(o), input_name(i), op.input(i)));
      }
    }
    for (int other = 0; other < o; ++other) {
      if (op.output(o) == op.output(other)) {
        problems.push_back(fmt::format("[{}] writes blob '{}' twice", type_, op.output(o)));
      }
    }
  }
  return problems;
}

std::vector<TensorInfo> OpSchema::infer_outputs(const OpArgs& args, const std::vector<TensorInfo>& inputs,
                                                int output_count, DType real) const {
  LS_ASSERT(has_infer(), "[{}] has no shape inference", type_);
  std::vector<TensorInfo> outputs = infer_(InferContext(*this, args, inputs, output_count, real));
  LS_ASSERT(static_cast<int>(outputs.size()) >= output_count, "[{}] inferred {} of {} outputs", type_, outputs.size(),
            output_count);
  outputs.resize(static_cast<std::size_t>(output_count));
  return outputs;
}

std::optional<double> OpSchema::flops_of(const OpSizes& sizes) const {
  if (!flops_) return std::nullopt;
  return flops_(sizes);
}

KernelChoice OpSchema::choose_kernel(DeviceContext& device, const OpSizes& sizes) const {
  if (chooser_) return chooser_(device, sizes);
  KernelChoice choice{"own", "", {}, {}};
  const bool images = !sizes.inputs.empty() && sizes.inputs[0].shape.size() == 4;
  const Layout first = images ? sizes.layouts[0] : Layout::kPlain;
  switch (layout_rule_) {
    case LayoutRule::kPlain: {
      const auto converted = std::count_if(sizes.layouts.begin(), sizes.layouts.end(),
                                           [](Layout layout) { return layout != Layout::kPlain; });
      choice.reason = converted > 0 ? fmt::format("row-major only: {} inputs are converted", converted) : "row-major";
      break;
    }
    case LayoutRule::kSame:
      choice.reason = images ? fmt::format("any layout: stays {}", to_string(first)) : "element by element";
      break;
    case LayoutRule::kOwn: choice.reason = "reads any layout"; break;
  }
  for (const TensorInfo& output : sizes.outputs) {
    const bool follows = layout_rule_ == LayoutRule::kSame && output.shape.size() == 4;
    choice.layouts.push_back(follows ? first : Layout::kPlain);
  }
  return choice;
}

Gradients OpSchema::make_gradients(const GradientContext& context) const {
  LS_CHECK(kGraph, has_gradient(), "[{}] has no gradient: {}", type_, no_gradient_reason_);
  Gradients gradients = gradient_(context);
  LS_ASSERT(static_cast<int>(gradients.input_gradients.size()) == context.input_count(),
            "[{}] gradient rule names {} gradients for {} inputs", type_, gradients.input_gradients.size(),
            context.input_count());
  return gradients;
}

std::vector<TensorInfo> same_as_first_input(const InferContext& context) { return {context.input(0)}; }

}  // namespace lockstep
