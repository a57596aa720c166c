// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/kernel.h"

namespace lockstep {

void roi_align_cpu(KernelContext& context);
void roi_align_reference(KernelContext& context);
void roi_align_gradient_reference(KernelContext& context);

class RoiAlignGradientCpu : public Kernel {
 public:
  void run(KernelContext& context) override;

 private:
  Tensor plain_dy_;  // dY when it comes in a blocked layout
};

// The number of the feature map that RoI q pools from. kShape when its level or its image does not exist,
// kNumeric when a coordinate is not finite or far outside any image. T is the engine's real type.
template <typename T>
int checked_map(const KernelContext& context, std::int64_t q, int maps, std::int64_t images);

}  // namespace lockstep
