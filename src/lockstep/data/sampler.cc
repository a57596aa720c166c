// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/sampler.h"

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"

namespace lockstep {

Sampler::Sampler(std::int64_t size, std::uint64_t seed) : size_(size), seed_(seed) {
  LS_CHECK(kData, size >= 1, "the data set has no images to draw from");
  LS_CHECK(kUnsupported, size <= UINT32_MAX, "the data set has {} images; at most {} are supported", size, UINT32_MAX);
}

std::int64_t Sampler::image_index(std::int64_t s) const {
  return (*order_of(epoch(s)))[static_cast<std::size_t>(s % size_)];
}

std::int64_t Sampler::replacement(std::int64_t s, int attempt) const {
  PhiloxStream stream(seed_, static_cast<std::uint64_t>(s), philox_key("replacement"));
  std::uint32_t index = 0;
  for (int i = 0; i < attempt; ++i) index = stream.below(static_cast<std::uint32_t>(size_));
  return index;
}

std::shared_ptr<const Sampler::Order> Sampler::order_of(std::int64_t epoch) const {
  constexpr std::size_t kKept = 3;  // threads at an epoch's end work on two, and one may lag
  std::lock_guard lock(mutex_);
  std::shared_ptr<const Order>& order = orders_[epoch];
  if (!order) {
    const auto n = static_cast<std::uint32_t>(size_);
    PhiloxStream stream(seed_, static_cast<std::uint64_t>(epoch), philox_key("shuffle"));
    order = std::make_shared<const Order>(stream.choose(n, n));
  }
  const std::shared_ptr<const Order> result = order;
  while (orders_.size() > kKept) orders_.erase(orders_.begin());
  return result;
}

}  // namespace lockstep
