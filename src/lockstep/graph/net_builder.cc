// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net_builder.h"

#include <algorithm>

namespace lockstep {
namespace {

Argument named(const std::string& name) {
  Argument argument;
  argument.set_name(name);
  return argument;
}

bool is_known(const NetDef& net, const std::string& blob) {
  const auto& external = net.external_input();
  if (std::find(external.begin(), external.end(), blob) != external.end()) return true;
  for (const OperatorDef& op : net.op()) {
    if (std::find(op.output().begin(), op.output().end(), blob) != op.output().end()) return true;
  }
  return false;
}

}  // namespace

Argument arg(const std::string& name, std::int64_t value) {
  Argument argument = named(name);
  argument.set_i(value);
  return argument;
}
Argument arg(const std::string& name, int value) { return arg(name, static_cast<std::int64_t>(value)); }
Argument arg(const std::string& name, bool value) { return arg(name, static_cast<std::int64_t>(value)); }
Argument arg(const std::string& name, double value) {
  Argument argument = named(name);
  argument.set_f(value);
  return argument;
}
Argument arg(const std::string& name, const char* value) { return arg(name, std::string(value)); }
Argument arg(const std::string& name, const std::string& value) {
  Argument argument = named(name);
  argument.set_s(value);
  return argument;
}
Argument arg(const std::string& name, const std::vector<std::int64_t>& values) {
  Argument argument = named(name);
  argument.mutable_ints()->Assign(values.begin(), values.end());
  return argument;
}
Argument arg(const std::string& name, const std::vector<double>& values) {
  Argument argument = named(name);
  argument.mutable_floats()->Assign(values.begin(), values.end());
  return argument;
}
Argument arg(const std::string& name, const std::vector<std::string>& values) {
  Argument argument = named(name);
  for (const std::string& value : values) argument.add_strings(value);
  return argument;
}

NetBuilder::NetBuilder(const std::string& name, const std::string& type) {
  net_.set_name(name);
  net_.set_type(type);
}

NetBuilder::Scope::Scope(NetBuilder& builder, std::string prefix, DeviceOption device)
    : builder_(builder), old_prefix_(builder.prefix_), old_device_(builder.device_) {
  builder_.prefix_ = std::move(prefix);
  builder_.device_ = std::move(device);
}

NetBuilder::Scope::~Scope() {
  builder_.prefix_ = old_prefix_;
  builder_.device_ = old_device_;
}

NetBuilder::Scope NetBuilder::name_scope(std::string_view name) {
  return Scope(*this, prefix_ + std::string(name) + "/", device_);
}

NetBuilder::Scope NetBuilder::device_scope(const DeviceId& device) {
  DeviceOption option;
  option.set_type(device.type == DeviceType::kCpu ? "cpu" : "cuda");
  option.set_index(device.index);
  return Scope(*this, prefix_, option);
}

OperatorDef& NetBuilder::add(const std::string& type, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs, const std::vector<Argument>& args,
                             const std::string& name) {
  for (const std::string& input : inputs) {
    if (!is_known(net_, input)) net_.add_external_input(input);
  }
  OperatorDef& op = *net_.add_op();
  op.set_type(type);
  op.set_name(!name.empty() ? name : outputs.empty() ? "" : outputs[0]);
  for (const std::string& input : inputs) op.add_input(input);
  for (const std::string& output : outputs) op.add_output(output);
  for (const Argument& argument : args) *op.add_arg() = argument;
  if (!device_.type().empty()) *op.mutable_device_option() = device_;
  return op;
}

}  // namespace lockstep
