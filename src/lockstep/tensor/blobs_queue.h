// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lockstep/base/bounded_queue.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// Carries the input of one worker: each record holds the tensors of one micro-batch in a fixed order.
using BlobsQueue = BoundedQueue<std::vector<Tensor>>;

}  // namespace lockstep
