// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/boxes.h"

namespace lockstep {
namespace {

template <typename T>
void assign_levels(KernelContext& context) {
  const OpArgs& args = context.args();
  const T low = static_cast<T>(args.integer("min_level"));
  const T high = static_cast<T>(args.integer("max_level"));
  const T canonical_level = static_cast<T>(args.integer("canonical_level"));
  const T canonical_size = static_cast<T>(args.number("canonical_size"));
  const Tensor& rois = context.input(0);
  std::int32_t* levels = context.output(0).data<std::int32_t>();
  for (std::int64_t q = 0; q < rois.dim(0); ++q) {
    const T area = std::max(load_box(rois.data<T>() + 5 * q + 1).area(), T{0});
    const T level = std::floor(canonical_level + std::log2(std::sqrt(area) / canonical_size + static_cast<T>(1e-8)));
    levels[q] = static_cast<std::int32_t>(std::clamp(level, low, high));
  }
}

}  // namespace

void assign_levels_cpu(KernelContext& context) { assign_levels<float>(context); }
void assign_levels_reference(KernelContext& context) { assign_levels<double>(context); }

}  // namespace lockstep
