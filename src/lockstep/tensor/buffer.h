// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace lockstep {

// Owns memory aligned to 64 bytes (a cache line, the widest vector). Grows, never shrinks, so a
// blob that is written every step allocates only in the first steps.
class Buffer {
 public:
  // Makes room for `bytes`; contents are lost when it has to grow. Throws kDevice when memory is out.
  void reserve(std::size_t bytes);

  std::byte* data() { return memory_.get(); }
  const std::byte* data() const { return memory_.get(); }
  std::size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace lockstep
