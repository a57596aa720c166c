// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/primitive_cache.h"

#include <gtest/gtest.h>

#include "backend/random_values.h"
#include "lockstep/backend/cpu/dnnl_ops.h"

namespace lockstep {
namespace {

void convolve(CpuDevice& device, std::int64_t size) {
  Tensor y;
  convolution_forward(device, random_values({1, 8, size, size}, 1), random_values({8, 8, 3, 3}, 2), nullptr, {.pad = 1},
                      y);
}

TEST(PrimitiveCache, CountsHitsAndMissesByShapeAndThreads) {
  const auto cache = std::make_shared<PrimitiveCache>();
  CpuDevice one(0, 1, cache), two(1, 2, cache);
  convolve(one, 8);
  convolve(one, 8);
  EXPECT_EQ(cache->statistics().hits, 1u);
  EXPECT_EQ(cache->statistics().misses, 1u);
  convolve(one, 9);
  EXPECT_EQ(cache->statistics().misses, 2u);
  convolve(two, 8);  // other threads, other bits: not the same primitive
  EXPECT_EQ(cache->statistics().misses, 3u);
  EXPECT_EQ(cache->statistics().entries, 3u);
}

TEST(PrimitiveCache, DropsTheLeastRecentlyUsedBeyondItsBound) {
  CpuDevice unbounded;
  convolve(unbounded, 8);
  const std::size_t one_plan = unbounded.primitives().statistics().bytes;
  const auto cache = std::make_shared<PrimitiveCache>(2 * one_plan);
  CpuDevice device(0, 1, cache);
  for (const std::int64_t size : {8, 9, 8, 10}) convolve(device, size);  // 10 drives 9 out
  EXPECT_EQ(cache->statistics().entries, 2u);
  EXPECT_LE(cache->statistics().bytes, 2 * one_plan);
  const std::size_t misses = cache->statistics().misses;
  convolve(device, 8);
  EXPECT_EQ(cache->statistics().misses, misses);
  convolve(device, 9);
  EXPECT_EQ(cache->statistics().misses, misses + 1);
}

}  // namespace
}  // namespace lockstep
