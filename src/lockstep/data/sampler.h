// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep {

// The endless training order. Without repeat factors, sample s is position s mod N of epoch s / N, and an epoch is a
// permutation of the images. With them, image i stands r_i times in an epoch on average: the images of an epoch, in
// random order, are laid one after another as intervals of length r_i on a line that all epochs share, and image i is
// used once for every mark in its interval, with one mark per unit of length. So it is used floor(r_i) or ceil(r_i)
// times in an epoch (Detectron2 rounds each image by a draw of its own, which has the same mean), and epoch and
// position of a sample are found without looking at the epochs before. An epoch's order depends on (seed, epoch) only.
// Nothing is dropped and nothing depends on threads. Thread-safe.
class Sampler {
 public:
  // `size` = N >= 1 images; `repeats` is empty or has a factor of at least 1 for each.
  Sampler(std::int64_t size, std::uint64_t seed, const std::vector<double>& repeats = {});

  std::int64_t size() const { return size_; }
  std::int64_t epoch(std::int64_t s) const;
  std::int64_t image_index(std::int64_t s) const;

  // The image that takes the place of sample s when the images of `attempt` earlier tries could not be
  // decoded; attempt >= 1.
  std::int64_t replacement(std::int64_t s, int attempt) const;

 private:
  using Order = std::vector<std::uint32_t>;
  std::int64_t first_sample(std::int64_t epoch) const;
  Order shuffled(std::int64_t epoch) const;
  Order repeated(std::int64_t epoch) const;
  std::shared_ptr<const Order> order_of(std::int64_t epoch) const;

  const std::int64_t size_;
  const std::uint64_t seed_;
  // Of the repeat factors, in units of 1 / kUnit so that sums are exact; empty without factors.
  std::vector<std::int64_t> lengths_;
  std::int64_t epoch_length_ = 0;
  std::int64_t offset_ = 0;  // of the first mark
  mutable std::mutex mutex_;
  mutable std::map<std::int64_t, std::shared_ptr<const Order>> orders_;  // of the few epochs in work
};

}  // namespace lockstep
