// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep {

// Philox4x32-10 of Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011): a pure
// function of counter and key, so a draw never depends on which thread or worker asks for it.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// A stable 32-bit key for a name (FNV-1a), to tell the draws of different operators apart.
std::uint32_t philox_key(std::string_view name);

// A stream of draws keyed by (seed, sample, op): draw i is a pure function of these three and i.
class PhiloxStream {
 public:
  PhiloxStream(std::uint64_t seed, std::uint64_t sample, std::uint32_t op);

  std::uint32_t next();                  // uniform over 32 bits
  std::uint32_t below(std::uint32_t n);  // uniform over 0..n-1 without bias; n >= 1
  double uniform();                      // [0, 1), 53 random bits
  double normal();                       // mean 0, variance 1 (Box-Muller)

  // The first `count` entries of a random permutation of 0..n-1 (Fisher-Yates); count <= n.
  std::vector<std::uint32_t> choose(std::uint32_t n, std::uint32_t count);

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

}  // namespace lockstep
