// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/philox.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiply0 = 0xD2511F53;
  constexpr std::uint64_t kMultiply1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMultiply0 * counter[0];
    const std::uint64_t p1 = kMultiply1 * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint32_t philox_key(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619u;
  }
  return hash;
}

PhiloxStream::PhiloxStream(std::uint64_t seed, std::uint64_t sample, std::uint32_t op)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, op, static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(sample >> 32)} {}

std::uint32_t PhiloxStream::next() {
  if (used_ == 4) {
    block_ = philox4x32(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

std::uint32_t PhiloxStream::below(std::uint32_t n) {
  LS_ASSERT(n >= 1, "PhiloxStream::below: the range must hold at least one value");
  // Lemire's method: reject the few low products that would make some values more likely.
  const std::uint32_t threshold = (0u - n) % n;
  for (;;) {
    const std::uint64_t product = std::uint64_t{next()} * n;
    if (static_cast<std::uint32_t>(product) >= threshold) return static_cast<std::uint32_t>(product >> 32);
  }
}

double PhiloxStream::uniform() {
  const std::uint64_t high = next() >> 5;
  const std::uint64_t low = next() >> 6;
  return static_cast<double>((high << 26) | low) * 0x1.0p-53;
}

double PhiloxStream::normal() {
  const double u = 1.0 - uniform();  // (0, 1], so that the logarithm is finite
  const double angle = 2.0 * std::numbers::pi * uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(angle);
}

std::vector<std::uint32_t> PhiloxStream::choose(std::uint32_t n, std::uint32_t count) {
  LS_ASSERT(count <= n, "PhiloxStream::choose: wanted {} of {}", count, n);
  std::vector<std::uint32_t> items(n);
  std::iota(items.begin(), items.end(), 0u);
  for (std::uint32_t i = 0; i < count; ++i) std::swap(items[i], items[i + below(n - i)]);
  items.resize(count);
  return items;
}

}  // namespace lockstep
