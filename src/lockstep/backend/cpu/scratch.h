// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "lockstep/tensor/buffer.h"

namespace lockstep {

// Numbered work areas for one running kernel. They grow and never shrink, so steps after the first
// allocate nothing.
class Scratch {
 public:
  // Area `slot` with room for `bytes`, aligned to 64; its contents are unspecified.
  std::byte* reserve(std::size_t slot, std::size_t bytes);
  std::size_t capacity() const;  // bytes of all areas

 private:
  std::vector<Buffer> areas_;
};

// Hands out one Scratch per kernel running at the same time and takes it back when the lease ends. Thread-safe.
class ScratchPool {
 public:
  class Lease {
   public:
    Lease(ScratchPool& pool, std::unique_ptr<Scratch> scratch) : pool_(&pool), scratch_(std::move(scratch)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    Scratch& operator*() { return *scratch_; }
    Scratch* operator->() { return scratch_.get(); }

   private:
    ScratchPool* pool_;
    std::unique_ptr<Scratch> scratch_;
  };

  Lease lease();
  std::size_t bytes() const;  // of all work areas that are not leased now

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace lockstep
