// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep {

// The endless training order: sample s is position s mod N of epoch s / N, and the order of an epoch is a
// permutation that depends on (seed, epoch) only. Nothing is dropped and nothing depends on threads.
// Thread-safe.
class Sampler {
 public:
  // `size` = N >= 1 images.
  Sampler(std::int64_t size, std::uint64_t seed);

  std::int64_t size() const { return size_; }
  std::int64_t epoch(std::int64_t s) const { return s / size_; }
  std::int64_t image_index(std::int64_t s) const;

  // The image that takes the place of sample s when the images of `attempt` earlier tries could not be
  // decoded; attempt >= 1.
  std::int64_t replacement(std::int64_t s, int attempt) const;

 private:
  using Order = std::vector<std::uint32_t>;
  std::shared_ptr<const Order> order_of(std::int64_t epoch) const;

  const std::int64_t size_;
  const std::uint64_t seed_;
  mutable std::mutex mutex_;
  mutable std::map<std::int64_t, std::shared_ptr<const Order>> orders_;  // of the few epochs in work
};

}  // namespace lockstep
