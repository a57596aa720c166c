// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "backend/random_values.h"
#include "lockstep/backend/cpu/dnnl_ops.h"

namespace lockstep {
namespace {

struct Results {
  Tensor y, dx, dw, db;
};

Results multiply(CpuDevice& device, const Tensor& x, const Tensor& w) {
  Results results;
  inner_product_forward(device, x, w, random_values({w.dim(0)}, 3), results.y);
  const Tensor dy = random_values(results.y.shape(), 4);
  inner_product_backward_data(device, x.shape(), w, dy, results.dx);
  inner_product_backward_weights(device, x, dy, results.dw, results.db);
  return results;
}

TEST(InnerProduct, TheSameBitsInEveryRunAndThreadForEveryRowCount) {
  for (const int threads : {1, 2}) {
    CpuDevice device(0, threads);
    const Tensor w = random_values({32, 256}, 2);
    for (const std::int64_t rows : {1, 7, 512}) {
      const Tensor x = random_values({rows, 256}, 1);
      const Results first = multiply(device, x, w);
      const auto expect_equal = [&] {
        const Results again = multiply(device, x, w);
        EXPECT_TRUE(same_bits(again.y, first.y) && same_bits(again.dx, first.dx) && same_bits(again.dw, first.dw) &&
                    same_bits(again.db, first.db))
            << rows << " rows, " << threads << " threads";
      };
      expect_equal();
      std::thread(expect_equal).join();
    }
  }
}

TEST(InnerProduct, KnownValues) {
  CpuDevice device;
  const Tensor x = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  const Tensor w = Tensor::from<float>({3, 2}, {1, 0, 0, 1, 1, -1});
  Tensor y;
  inner_product_forward(device, x, w, Tensor::from<float>({3}, {10, 20, 30}), y);
  EXPECT_THAT(plain_values(y), testing::ElementsAre(11, 22, 29, 13, 24, 29));
}

TEST(InnerProduct, NoRowsGiveZeroGradients) {
  CpuDevice device;
  const Results results = multiply(device, Tensor(DType::kF32, {0, 4, 2, 2}), random_values({3, 16}, 2));
  EXPECT_EQ(results.y.shape(), (Shape{0, 3}));
  EXPECT_EQ(results.dx.shape(), (Shape{0, 4, 2, 2}));
  EXPECT_THAT(plain_values(results.dw), testing::Each(0.0f));
  EXPECT_THAT(plain_values(results.db), testing::Each(0.0f));
}

}  // namespace
}  // namespace lockstep
