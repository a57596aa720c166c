// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/window_shape.h"

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/base/check.h"

namespace lockstep {

std::int64_t infer_window_size(const InferContext& context, int axis, std::int64_t kernel, std::int64_t stride,
                               std::int64_t pad, std::int64_t dilation) {
  const std::int64_t size = context.dim(0, axis);
  if (size < 0 || kernel < 0) return -1;
  const std::int64_t result = window_output_size(size, kernel, stride, pad, dilation);
  LS_CHECK(
      kShape, result >= 0,
      "a window of {} (kernel {}, dilation {}) does not fit into axis {} of {} with pad {}; use larger images or a "
      "smaller kernel",
      dilation * (kernel - 1) + 1, kernel, dilation, axis, to_string(context.input(0)), pad);
  return result;
}

}  // namespace lockstep
