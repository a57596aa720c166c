// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/schema.h"

namespace lockstep {

// One image axis after a sliding window, -1 when the input's size is not known; kShape when the window is
// larger than the padded image.
std::int64_t infer_window_size(const InferContext& context, int axis, std::int64_t kernel, std::int64_t stride,
                               std::int64_t pad, std::int64_t dilation);

}  // namespace lockstep
