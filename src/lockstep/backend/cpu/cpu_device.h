// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "lockstep/backend/cpu/primitive_cache.h"
#include "lockstep/backend/cpu/scratch.h"
#include "lockstep/tensor/device.h"

namespace lockstep {

// One CPU device: T compute threads for oneDNN, scratch memory and primitives. Kernels of this backend
// get it by as_cpu(context.device()).
class CpuDevice : public DeviceContext {
 public:
  // `threads` = T >= 1. Devices of one process may share `primitives`; without one the device makes its own.
  explicit CpuDevice(int index = 0, int threads = 1, std::shared_ptr<PrimitiveCache> primitives = nullptr);

  // Prepares the calling thread for work of this device: OpenMP runs T threads from here on (its count is
  // per calling thread, and the count at creation decides the bits of a primitive), and the T
  // threads flush denormal results and operands to zero, so that the bits do not depend on what the host
  // program set and tiny gradients do not slow the kernels down. Cheap when done already. Throws kInternal
  // inside an OpenMP parallel region, where a primitive of several threads would deadlock.
  void enter_thread() override;

  int threads() const { return threads_; }
  PrimitiveCache& primitives() { return *primitives_; }
  ScratchPool& scratch() { return scratch_; }

 private:
  int threads_;
  std::shared_ptr<PrimitiveCache> primitives_;
  ScratchPool scratch_;
};

// The device as a CpuDevice; kInternal when it is another kind.
CpuDevice& as_cpu(DeviceContext& device);

}  // namespace lockstep
