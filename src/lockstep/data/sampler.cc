// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/sampler.h"

#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"

namespace lockstep {
namespace {

constexpr std::int64_t kUnit = 1 << 20;
constexpr double kMostRepeats = 1e6;  // keeps the line's positions far from the ends of 64 bits

}  // namespace

Sampler::Sampler(std::int64_t size, std::uint64_t seed, const std::vector<double>& repeats) : size_(size), seed_(seed) {
  LS_CHECK(kData, size >= 1, "the data set has no images to draw from");
  LS_CHECK(kUnsupported, size <= UINT32_MAX, "the data set has {} images; at most {} are supported", size, UINT32_MAX);
  if (repeats.empty()) return;
  LS_ASSERT(static_cast<std::int64_t>(repeats.size()) == size, "{} repeat factors for {} images", repeats.size(), size);
  for (const double factor : repeats) {
    LS_ASSERT(factor >= 1, "a repeat factor is {}", factor);
    lengths_.push_back(std::llround(std::min(factor, kMostRepeats) * static_cast<double>(kUnit)));
    epoch_length_ += lengths_.back();
  }
  LS_CHECK(kUnsupported, epoch_length_ / kUnit <= UINT32_MAX,
           "an epoch has {} images with their repeats; at most {} are supported; lower DATALOADER.REPEAT_THRESHOLD",
           epoch_length_ / kUnit, UINT32_MAX);
  offset_ = PhiloxStream(seed_, 0, philox_key("repeat")).below(static_cast<std::uint32_t>(kUnit));
}

std::int64_t Sampler::first_sample(std::int64_t epoch) const {
  if (lengths_.empty()) return epoch * size_;
  // The marks offset, offset + kUnit, ... that lie before the epoch's begin.
  return (epoch * epoch_length_ - offset_ + kUnit - 1) / kUnit;
}

std::int64_t Sampler::epoch(std::int64_t s) const {
  return lengths_.empty() ? s / size_ : (offset_ + s * kUnit) / epoch_length_;
}

std::int64_t Sampler::image_index(std::int64_t s) const {
  const std::int64_t of = epoch(s);
  return order_of(of)->at(static_cast<std::size_t>(s - first_sample(of)));
}

std::int64_t Sampler::replacement(std::int64_t s, int attempt) const {
  PhiloxStream stream(seed_, static_cast<std::uint64_t>(s), philox_key("replacement"));
  std::uint32_t index = 0;
  for (int i = 0; i < attempt; ++i) index = stream.below(static_cast<std::uint32_t>(size_));
  return index;
}

Sampler::Order Sampler::shuffled(std::int64_t epoch) const {
  const auto n = static_cast<std::uint32_t>(size_);
  return PhiloxStream(seed_, static_cast<std::uint64_t>(epoch), philox_key("shuffle")).choose(n, n);
}

Sampler::Order Sampler::repeated(std::int64_t epoch) const {
  Order uses;
  std::int64_t end = epoch * epoch_length_;
  std::int64_t mark = offset_ + first_sample(epoch) * kUnit;
  for (const std::uint32_t image : shuffled(epoch)) {
    end += lengths_[image];
    for (; mark < end; mark += kUnit) uses.push_back(image);
  }
  // The repeats of an image stand together so far.
  const auto n = static_cast<std::uint32_t>(uses.size());
  const Order places =
      PhiloxStream(seed_, static_cast<std::uint64_t>(epoch), philox_key("shuffle repeats")).choose(n, n);
  Order order;
  for (const std::uint32_t place : places) order.push_back(uses[place]);
  return order;
}

std::shared_ptr<const Sampler::Order> Sampler::order_of(std::int64_t epoch) const {
  constexpr std::size_t kKept = 3;  // threads at an epoch's end work on two, and one may lag
  std::lock_guard lock(mutex_);
  std::shared_ptr<const Order>& order = orders_[epoch];
  if (!order) {
    order = std::make_shared<const Order>(lengths_.empty() ? shuffled(epoch) : repeated(epoch));
  }
  const std::shared_ptr<const Order> result = order;
  while (orders_.size() > kKept) orders_.erase(orders_.begin());
  return result;
}

}  // namespace lockstep
