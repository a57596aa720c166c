// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/scratch.h"

#include <utility>

namespace lockstep {

std::byte* Scratch::reserve(std::size_t slot, std::size_t bytes) {
  if (slot >= areas_.size()) areas_.resize(slot + 1);
  areas_[slot].reserve(bytes);
  return areas_[slot].data();
}

std::size_t Scratch::capacity() const {
  std::size_t sum = 0;
  for (const Buffer& area : areas_) sum += area.capacity();
  return sum;
}

ScratchPool::Lease::~Lease() {
  const std::lock_guard lock(pool_->mutex_);
  pool_->free_.push_back(std::move(scratch_));
}

ScratchPool::Lease ScratchPool::lease() {
  std::unique_ptr<Scratch> scratch;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      scratch = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (scratch == nullptr) scratch = std::make_unique<Scratch>();
  return Lease(*this, std::move(scratch));
}

std::size_t ScratchPool::bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const auto& scratch : free_) sum += scratch->capacity();
  return sum;
}

}  // namespace lockstep
