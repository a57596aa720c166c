// SPDX-License-Identifier: Apache-2.0
#include "lockstep/tensor/buffer.h"

#include <cstdlib>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {
constexpr std::size_t kAlignment = 64;
}

void Buffer::Free::operator()(std::byte* memory) const { std::free(memory); }

void Buffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  memory_.reset();
  capacity_ = 0;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
  LS_CHECK(kDevice, memory_ != nullptr,
           "out of memory: could not allocate {} MiB; use smaller images (INPUT.MIN_SIZE_TRAIN), fewer images per "
           "micro-batch (SOLVER.IMS_PER_MICRO_BATCH) or fewer workers",
           (rounded >> 20) + 1);
  capacity_ = rounded;
}

}  // namespace lockstep
