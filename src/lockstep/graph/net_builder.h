// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/graph/net.pb.h"
#include "lockstep/tensor/device.h"

namespace lockstep {

Argument arg(const std::string& name, std::int64_t value);
Argument arg(const std::string& name, int value);
Argument arg(const std::string& name, bool value);
Argument arg(const std::string& name, double value);
Argument arg(const std::string& name, const char* value);
Argument arg(const std::string& name, const std::string& value);
Argument arg(const std::string& name, const std::vector<std::int64_t>& values);
Argument arg(const std::string& name, const std::vector<double>& values);
Argument arg(const std::string& name, const std::vector<std::string>& values);

// Builds a NetDef operator by operator. Name and device scopes nest and end with the object that
// opened them; they belong to the builder, not to the thread.
class NetBuilder {
 public:
  // `type` is the executor: "simple" or "dag".
  explicit NetBuilder(const std::string& name, const std::string& type = "simple");

  class Scope {
   public:
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class NetBuilder;
    Scope(NetBuilder& builder, std::string prefix, DeviceOption device);
    NetBuilder& builder_;
    std::string old_prefix_;
    DeviceOption old_device_;
  };

  // Names made inside get "name/" in front, after the prefixes of the scopes around it.
  [[nodiscard]] Scope name_scope(std::string_view name);
  // Operators added inside run on this device; the innermost scope wins.
  [[nodiscard]] Scope device_scope(const DeviceId& device);

  // `name` with the prefix of the scopes that are open.
  std::string scoped(std::string_view name) const { return prefix_ + std::string(name); }

  // Appends an operator on the device of the scope. Inputs and outputs are full blob names (see
  // scoped). An input that no earlier operator writes becomes an external input of the net. The op's
  // name is its first output unless one is given.
  OperatorDef& add(const std::string& type, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs, const std::vector<Argument>& args = {},
                   const std::string& name = "");

  NetDef& net() { return net_; }
  const NetDef& net() const { return net_; }

 private:
  NetDef net_;
  std::string prefix_;
  DeviceOption device_;
};

}  // namespace lockstep
