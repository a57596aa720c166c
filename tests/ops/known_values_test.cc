// SPDX-License-Identifier: Apache-2.0
// Answers known from the definitions, where the cases only compare kernels with each other.
#include <gtest/gtest.h>

#include <cmath>

#include "lockstep/base/error.h"
#include "lockstep/tensor/blobs_queue.h"
#include "ops/bound_op.h"
#include "ops/op_case.h"

namespace lockstep {
namespace {

std::vector<Tensor> run_op(const std::string& type, const std::vector<Argument>& args,
                           const std::vector<Tensor>& inputs, int outputs,
                           std::function<void(Workspace&)> setup = nullptr) {
  OperatorDef def;
  def.set_type(type);
  for (std::size_t i = 0; i < inputs.size(); ++i) def.add_input("x" + std::to_string(i));
  for (int o = 0; o < outputs; ++o) def.add_output("y" + std::to_string(o));
  for (const Argument& argument : args) *def.add_arg() = argument;
  return BoundOp(def, Engine::kDevice, std::move(setup)).run(inputs);
}

double scalar(const Tensor& tensor) { return static_cast<double>(tensor.data<float>()[0]); }

TEST(SoftmaxCrossEntropyLoss, EqualLogitsCostTheLogOfTheClasses) {
  const auto outputs = run_op("SoftmaxCrossEntropyLoss", {},
                              tensors(real_tensor({2, 4}, {1, 1, 1, 1, 5, 5, 5, 5}), int_tensor({2}, {0, 3})), 2);
  EXPECT_NEAR(scalar(outputs[0]), std::log(4.0), 1e-6);
  EXPECT_NEAR(outputs[1].data<float>()[5], 0.25f, 1e-6f);
}

TEST(SigmoidCrossEntropyLoss, ZeroLogitsCostLogTwoPerCountedRow) {
  const auto outputs = run_op("SigmoidCrossEntropyLoss", {arg("normalizer", 10), arg("scale", 3.0)},
                              tensors(real_tensor({4, 1}, {0, 0, 0, 0}), int_tensor({4}, {1, 0, -1, 1})), 1);
  EXPECT_NEAR(scalar(outputs[0]), 3.0 * 3.0 * std::log(2.0) / 10.0, 1e-6);
}

TEST(BoxRegressionLoss, IsQuadraticThenLinearOverForegroundOnly) {
  const auto inputs = [] {
    return tensors(real_tensor({2, 8}, {9, 9, 9, 9, 0.5, 3, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9}),
                   real_tensor({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}), int_tensor({2}, {1, 2}));
  };
  const std::vector<Argument> args = {arg("fg_low", 0), arg("fg_high", 2)};
  std::vector<Argument> smooth = args;
  smooth.push_back(arg("beta", 1.0));
  EXPECT_NEAR(scalar(run_op("BoxRegressionLoss", smooth, inputs(), 1)[0]), (0.125 + 2.5 + 0.0 + 0.5) / 2, 1e-6);
  EXPECT_NEAR(scalar(run_op("BoxRegressionLoss", args, inputs(), 1)[0]), (0.5 + 3.0 + 0.0 + 1.0) / 2, 1e-6);
}

TEST(GroupNorm, OutputHasMeanZeroAndVarianceOnePerGroup) {
  const auto outputs = run_op("GroupNorm", {arg("group", 2), arg("eps", 0.0)},
                              tensors(random_tensor({1, 4, 9, 11}, 1, 5.0, 9.0), real_tensor({4}, {1, 1, 1, 1}),
                                      real_tensor({4}, {0, 0, 0, 0})),
                              3);
  for (int group = 0; group < 2; ++group) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < 198; ++i) {
      const double value = static_cast<double>(outputs[0].data<float>()[group * 198 + i]);
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / 198, 0.0, 1e-5);
    EXPECT_NEAR(squares / 198, 1.0, 1e-5);
  }
}

TEST(Fill, DrawsDependOnKeyAndIndexAlone) {
  const auto fill = [](std::int64_t outputs, const char* key) {
    return std::move(
        run_op("GaussianFill", {arg("shape", std::vector<std::int64_t>{outputs, 5}), arg("key", key)}, {}, 1)[0]);
  };
  const Tensor small = fill(2, "a"), large = fill(20, "a"), other = fill(2, "b");
  EXPECT_TRUE(std::equal(small.data<float>(), small.data<float>() + 10, large.data<float>()));
  EXPECT_FALSE(std::equal(small.data<float>(), small.data<float>() + 10, other.data<float>()));
}

TEST(Fill, FiltersHaveTheSpreadOfTheirFan) {
  const std::vector<Argument> args = {arg("shape", std::vector<std::int64_t>{64, 16, 3, 3}), arg("key", "w")};
  const auto second_moment = [](const Tensor& tensor) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < tensor.size(); ++i) sum += std::pow(static_cast<double>(tensor.data<float>()[i]), 2);
    return sum / static_cast<double>(tensor.size());
  };
  EXPECT_NEAR(second_moment(run_op("MSRAFill", args, {}, 1)[0]) * 64 * 9 / 2.0, 1.0, 0.06);
  const Tensor xavier = std::move(run_op("XavierFill", args, {}, 1)[0]);
  EXPECT_NEAR(second_moment(xavier) * 16 * 9, 1.0, 0.06);  // bound^2 / 3 = 1 / fan_in
  const float bound = std::sqrt(3.0f / (16 * 9));
  EXPECT_LE(*std::max_element(xavier.data<float>(), xavier.data<float>() + xavier.size()), bound);
}

std::string dequeue_error(std::shared_ptr<BlobsQueue> queue) {
  try {
    run_op("DequeueBlobs", {arg("dtypes", std::vector<std::string>{"i32"}), arg("ranks", std::vector<std::int64_t>{1})},
           tensors(Tensor()), 1, [&](Workspace& workspace) { workspace.get("x0").set_object(queue); });
  } catch (const Error& error) {
    return std::string(to_string(error.kind())) + ": " + error.message();
  }
  return "";
}

TEST(DequeueBlobs, AClosedQueueIsDrainedAndThenAnError) {
  const auto queue = std::make_shared<BlobsQueue>(2);
  queue->push(tensors(int_tensor({1}, {4})));
  queue->close();
  EXPECT_EQ(dequeue_error(queue), "");
  EXPECT_EQ(dequeue_error(queue), "data: the data queue was closed");
}

TEST(DequeueBlobs, AMissingQueueIsAnError) {
  EXPECT_EQ(dequeue_error(nullptr),
            "graph: input 'queue' holds no queue; the loader has to be attached before the net runs");
}

}  // namespace
}  // namespace lockstep
