// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/cpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <thread>

#include "lockstep/backend/cpu/cpu_isa.h"
#include "lockstep/base/error.h"

namespace lockstep {
namespace {

template <typename Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return std::string(to_string(error.kind())) + ": " + error.what();
  }
  return "no error";
}

// A product that is a denormal number, which flushing turns into zero.
float denormal_product() {
  volatile float small = 1e-30f, tiny = 1e-10f;
  return small * tiny;
}

TEST(CpuDevice, EnterThreadSetsTheThreadsAndTheFloatModeOfTheCallingThreadOnly) {
  std::thread([] {
    CpuDevice three(0, 3);
    EXPECT_GT(denormal_product(), 0.0f);  // the mode of a new thread
    three.enter_thread();
    EXPECT_EQ(omp_get_max_threads(), 3);
    EXPECT_EQ(denormal_product(), 0.0f);
    CpuDevice one(1, 1);
    one.enter_thread();
    EXPECT_EQ(omp_get_max_threads(), 1);
    three.enter_thread();
    EXPECT_EQ(omp_get_max_threads(), 3);
  }).join();
  std::thread([] { EXPECT_GT(denormal_product(), 0.0f); }).join();
}

// ThreadSanitizer does not see libgomp's barriers: the parallel regions below share atomics only.
std::atomic<int> flushed{0};

TEST(CpuDevice, HelperThreadsHaveTheFloatModeToo) {
  std::thread([] {
    CpuDevice device(0, 2);
    device.enter_thread();
#pragma omp parallel num_threads(2)
    if (denormal_product() == 0.0f) ++flushed;
  }).join();
  EXPECT_EQ(flushed, 2);
}

TEST(CpuDevice, RefusesUseInsideAParallelRegion) {
  std::string text;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    text = error_of([] { CpuDevice(0, 2).enter_thread(); });
  }
  EXPECT_THAT(text, testing::HasSubstr("device cpu:0 was used inside an OpenMP parallel region"));
}

TEST(CpuDevice, NeedsAThread) {
  EXPECT_THAT(error_of([] { CpuDevice(0, 0); }), testing::HasSubstr("at least 1 thread, got 0"));
}

TEST(CpuIsa, UnknownNamesAreRefusedWithTheKnownOnes) {
  EXPECT_THAT(error_of([] { pin_isa("avx9"); }),
              testing::AllOf(testing::HasSubstr("config: SOLVER.CPU_ISA 'avx9' is no instruction set"),
                             testing::HasSubstr("sse41, avx, avx2")));
}

TEST(CpuIsa, CannotBePinnedAfterItWasUsed) {
  EXPECT_FALSE(effective_isa().empty());
  EXPECT_THAT(error_of([] { pin_isa("sse41"); }), testing::HasSubstr("cannot be pinned to 'sse41' any more"));
}

TEST(ScratchPool, ReusesTheAreasOfAnEndedLease) {
  ScratchPool pool;
  std::byte* first = nullptr;
  {
    ScratchPool::Lease lease = pool.lease();
    first = lease->reserve(2, 1000);
    EXPECT_EQ(lease->reserve(2, 500), first);
  }
  EXPECT_GE(pool.bytes(), 1000u);
  ScratchPool::Lease one = pool.lease();
  ScratchPool::Lease other = pool.lease();
  EXPECT_EQ(one->reserve(2, 900), first);
  EXPECT_NE(other->reserve(2, 900), first);
}

}  // namespace
}  // namespace lockstep
