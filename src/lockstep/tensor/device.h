// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

namespace lockstep {

enum class DeviceType { kCpu, kCuda };

struct DeviceId {
  DeviceType type = DeviceType::kCpu;
  int index = 0;
  auto operator<=>(const DeviceId&) const = default;
};

std::string to_string(const DeviceId& id);     // "cpu:0"
std::string device_scope(const DeviceId& id);  // "cpu_0": the name scope of the device's blobs

// What a kernel may use of the device that it runs on. A backend derives from it; kernels of that
// backend know the derived type.
class DeviceContext {
 public:
  explicit DeviceContext(DeviceId id) : id_(id) {}
  virtual ~DeviceContext() = default;
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  DeviceId id() const { return id_; }

  // Called once in every thread that runs work of this device, before its first kernel.
  virtual void enter_thread() = 0;

 private:
  DeviceId id_;
};

}  // namespace lockstep
