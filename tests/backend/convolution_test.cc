// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "backend/random_values.h"
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/base/error.h"

namespace lockstep {
namespace {

struct Results {
  Tensor y, dx, dw, db;
};

Results convolve(CpuDevice& device, const Tensor& x, const Tensor& w, const ConvGeometry& geometry) {
  Results results;
  const Tensor bias = random_values({w.dim(0)}, 3);
  convolution_forward(device, x, w, &bias, geometry, results.y);
  const Tensor dy = random_values(results.y.shape(), 4);
  convolution_backward_data(device, x.shape(), w, dy, geometry, results.dx);
  convolution_backward_weights(device, x, w.shape(), dy, geometry, results.dw, &results.db);
  return results;
}

void expect_same(const Results& a, const Results& b) {
  EXPECT_TRUE(same_bits(a.y, b.y));
  EXPECT_TRUE(same_bits(a.dx, b.dx));
  EXPECT_TRUE(same_bits(a.dw, b.dw));
  EXPECT_TRUE(same_bits(a.db, b.db));
}

TEST(Convolution, AnIdentityKernelCopiesTheImage) {
  CpuDevice device;
  const Tensor x = random_values({2, 16, 5, 7}, 1);
  Tensor w(DType::kF32, {16, 16, 1, 1});
  w.fill_zero();
  for (std::int64_t c = 0; c < 16; ++c) w.data<float>()[c * 16 + c] = 1.0f;
  Tensor y;
  convolution_forward(device, x, w, nullptr, {}, y);
  EXPECT_EQ(plain_values(y), plain_values(x));
}

TEST(Convolution, TheSameBitsInEveryRunThreadAndDevice) {
  for (const int threads : {1, 2}) {
    CpuDevice device(0, threads);
    const Tensor x = random_values({2, 64, 20, 15}, 1);
    const Tensor w = random_values({64, 64, 3, 3}, 2);
    const ConvGeometry geometry{.stride = 1, .pad = 1};
    const Results first = convolve(device, x, w, geometry);
    expect_same(convolve(device, x, w, geometry), first);
    std::thread([&] { expect_same(convolve(device, x, w, geometry), first); }).join();
    CpuDevice other(1, threads);
    expect_same(convolve(other, x, w, geometry), first);
  }
}

TEST(Convolution, TwoThreadsOfOneDeviceDoNotDisturbEachOther) {
  CpuDevice device;
  const Tensor x = random_values({1, 24, 30, 40}, 1);
  const Tensor w = random_values({32, 24, 3, 3}, 2);
  const Results alone = convolve(device, x, w, {.pad = 1});
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) expect_same(convolve(device, x, w, {.pad = 1}), alone);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Convolution, AnEmptyBatchGivesEmptyImagesAndZeroGradients) {
  CpuDevice device;
  const Results results =
      convolve(device, Tensor(DType::kF32, {0, 3, 8, 8}), random_values({5, 3, 3, 3}, 2), {.pad = 1});
  EXPECT_EQ(results.y.shape(), (Shape{0, 5, 8, 8}));
  EXPECT_EQ(results.dx.shape(), (Shape{0, 3, 8, 8}));
  EXPECT_THAT(plain_values(results.db), testing::Each(0.0f));
  Tensor expected(DType::kF32, {5, 3, 3, 3});
  expected.fill_zero();
  EXPECT_TRUE(same_bits(results.dw, expected));
}

TEST(Convolution, ShapesThatDoNotFitAreAnErrorThatNamesThem) {
  CpuDevice device;
  Tensor y;
  try {
    convolution_forward(device, random_values({1, 3, 8, 8}, 1), random_values({5, 4, 3, 3}, 2), nullptr, {}, y);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("x[1,3,8,8] with w[5,4,3,3] in 1 groups"));
  }
}

TEST(Reorder, AgreesWithConvertLayout) {
  CpuDevice device;
  const Tensor x = random_values({2, 21, 5, 3}, 1);
  for (const Layout layout : {Layout::kNChw8c, Layout::kNChw16c}) {
    Tensor wanted, blocked, back;
    convert_layout(x, layout, wanted);
    reorder(device, x, layout, blocked);
    EXPECT_TRUE(same_bits(blocked, wanted));
    reorder(device, blocked, Layout::kPlain, back);
    EXPECT_TRUE(same_bits(back, x));
  }
}

}  // namespace
}  // namespace lockstep
