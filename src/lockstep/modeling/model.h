// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/graph/net_builder.h"
#include "lockstep/graph/parameter.h"

namespace lockstep {

// A parameter's first value: the type and arguments of the init net's fill operator.
struct Filler {
  std::string type;  // ConstantFill, GaussianFill, MSRAFill or XavierFill
  std::vector<Argument> args;
};
Filler constant_filler(double value);
Filler gaussian_filler(double standard_deviation);
Filler msra_filler();
Filler xavier_filler();

// A model under construction: the net that runs it, the init net that fills its parameters, and the list
// of its parameters. Replicas for several devices are built one after another into the same two nets.
class Model {
 public:
  // `executor` is "simple" or "dag".
  Model(const std::string& net_name, const std::string& executor, bool training);

  NetBuilder& net() { return net_; }
  NetBuilder& init() { return init_; }
  bool training() const { return training_; }

  // Opens the name scope and the device scope of a replica in both nets.
  struct Scopes {
    NetBuilder::Scope net_name, net_device, init_name, init_device;
  };
  [[nodiscard]] Scopes replica(const DeviceId& device);

  std::string scoped(std::string_view name) const { return net_.scoped(name); }

  // Declares a parameter of the replica under construction and returns its blob. Replicas must declare the same
  // parameters in the same order: a difference is a kGraph error that names both.
  std::string parameter(const std::string& name, const Shape& shape, ParameterKind kind, const Filler& filler,
                        bool trainable = true);

  // In creation order; one entry whatever the number of replicas.
  const std::vector<Parameter>& parameters() const { return parameters_; }
  // The blobs of the replicas' trainable parameters.
  std::set<std::string> trainable_blobs() const;
  const std::vector<DeviceId>& devices() const { return devices_; }

 private:
  NetBuilder net_;
  NetBuilder init_;
  bool training_;
  std::vector<Parameter> parameters_;
  std::vector<DeviceId> devices_;
  std::size_t next_ = 0;  // the parameter that the replica under construction declares next
};

}  // namespace lockstep
