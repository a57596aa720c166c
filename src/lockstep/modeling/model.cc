// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/model.h"

#include "lockstep/base/check.h"

namespace lockstep {

Filler constant_filler(double value) { return {"ConstantFill", {arg("value", value)}}; }
Filler gaussian_filler(double standard_deviation) { return {"GaussianFill", {arg("std", standard_deviation)}}; }
Filler msra_filler() { return {"MSRAFill", {}}; }
Filler xavier_filler() { return {"XavierFill", {}}; }

Model::Model(const std::string& net_name, const std::string& executor, bool training)
    : net_(net_name, executor), init_(net_name + "_init"), training_(training) {}

Model::Scopes Model::replica(const DeviceId& device) {
  LS_CHECK(kGraph, devices_.empty() || next_ == parameters_.size(),
           "the replica on {} declared {} of {} parameters; all replicas must declare the same",
           to_string(devices_.back()), next_, parameters_.size());
  devices_.push_back(device);
  next_ = 0;
  const std::string scope = device_scope(device);
  return {net_.name_scope(scope), net_.device_scope(device), init_.name_scope(scope), init_.device_scope(device)};
}

std::string Model::parameter(const std::string& name, const Shape& shape, ParameterKind kind, const Filler& filler,
                             bool trainable) {
  LS_ASSERT(!devices_.empty(), "parameter '{}' declared outside a replica", name);
  if (devices_.size() == 1) {
    for (const Parameter& other : parameters_) {
      LS_CHECK(kGraph, other.name != name, "parameter '{}' is declared twice", name);
    }
    parameters_.push_back({name, shape, kind, trainable});
  } else {
    LS_CHECK(kGraph, next_ < parameters_.size() && parameters_[next_].name == name && parameters_[next_].shape == shape,
             "the replica on {} declares parameter {} as '{}' {}, but the first replica declared {}",
             to_string(devices_.back()), next_, name, to_string(shape),
             next_ < parameters_.size()
                 ? fmt::format("'{}' {}", parameters_[next_].name, to_string(parameters_[next_].shape))
                 : "no more");
  }
  ++next_;
  std::vector<Argument> args = filler.args;
  args.push_back(arg("shape", shape));
  // Random fills are keyed by the unscoped name, so that all replicas start equal.
  if (filler.type != "ConstantFill") args.push_back(arg("key", name));
  const std::string blob = scoped(name);
  init_.add(filler.type, {}, {blob}, args);
  return blob;
}

std::set<std::string> Model::trainable_blobs() const {
  std::set<std::string> blobs;
  for (const DeviceId& device : devices_) {
    for (const Parameter& parameter : parameters_) {
      if (parameter.trainable && parameter.kind != ParameterKind::kBuffer) {
        blobs.insert(device_scope(device) + "/" + parameter.name);
      }
    }
  }
  return blobs;
}

}  // namespace lockstep
