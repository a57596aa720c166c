// SPDX-License-Identifier: Apache-2.0
// The lockstep law (docs/numerics.md): the same bits for every number of workers, and proof that these
// tests can fail.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/small_run.h"
#include "lockstep/base/error.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/trainer.h"
#include "lockstep/ops/catalog.h"
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

TrainerOptions with_workers(int workers) {
  TrainerOptions options;
  options.workers = workers;
  return options;
}

std::string train(const Config& config, int workers) {
  Trainer trainer(config, with_workers(workers));
  trainer.run();
  return trainer.digest();
}

// The losses of every step, without the times.
std::vector<double> losses_of(const Config& config, int workers) {
  std::vector<double> losses;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    for (const auto& [name, value] : report.losses) losses.push_back(value);
  };
  Trainer trainer(config, with_workers(workers), callbacks);
  trainer.run();
  return losses;
}

TEST(LockstepLaw, ParametersAndLossesDoNotDependOnTheNumberOfWorkers) {
  TemporaryFolder folder;
  const std::string alone = train(small_recipe(folder.file("w1")), 1);
  for (const int workers : {2, 3, 4}) {
    EXPECT_EQ(train(small_recipe(folder.file("w" + std::to_string(workers))), workers), alone) << workers;
  }
  EXPECT_EQ(losses_of(small_recipe(folder.file("l1")), 1), losses_of(small_recipe(folder.file("l3")), 3));
}

TEST(LockstepLaw, BothExecutorsGiveTheSameBits) {
  TemporaryFolder folder;
  Config simple = small_recipe(folder.file("simple"));
  simple.model.execution_type = "simple";
  Config dag = small_recipe(folder.file("dag"));
  dag.model.execution_type = "dag";
  EXPECT_EQ(train(simple, 3), train(dag, 3));
}

TEST(LockstepLaw, AResumedRunOnAnotherNumberOfWorkersEndsEqual) {
  TemporaryFolder folder;
  const std::string whole = train(small_recipe(folder.file("whole")), 2);
  Config config = small_recipe(folder.file("parts"));
  config.solver.checkpoint_period = 2;
  CancelToken cancel;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    if (report.step == 2) cancel.request();
  };
  {
    Trainer first(config, with_workers(1), callbacks);
    EXPECT_EQ(first.run(cancel), TrainResult::kCancelled);
  }
  TrainerOptions options = with_workers(3);
  options.resume = ResumeMode::kRequire;
  Trainer second(config, options);
  EXPECT_EQ(second.step(), 2);
  EXPECT_EQ(second.run(), TrainResult::kFinished);
  EXPECT_EQ(second.digest(), whole);
}

// Negative control: an all-reduce that adds its nodes from left to right.
template <typename T>
void left_to_right(KernelContext& context) {
  std::vector<T> sum(static_cast<std::size_t>(context.input(0).size()), T{});
  for (int i = 0; i < context.input_count(); ++i) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += context.input(i).data<T>()[k];
  }
  for (int w = 0; w < context.output_count(); ++w) std::copy(sum.begin(), sum.end(), context.output(w).data<T>());
}

OpCatalog left_to_right_catalog() {
  OpCatalog catalog;
  register_ops(catalog);
  register_solver_ops(catalog);
  catalog.add(fold_gradient_schema());
  OpSchema all_reduce = lockstep_all_reduce_schema();
  catalog.add(all_reduce.cpu(function_kernel(left_to_right<float>)));
  return catalog;
}

TEST(LockstepLawControl, SummingLeftToRightBreaksIt) {
  TemporaryFolder folder;
  const std::string alone = train(small_recipe(folder.file("w1")), 1);
  const OpCatalog catalog = left_to_right_catalog();
  Trainer trainer(small_recipe(folder.file("w4")), with_workers(4), {}, catalog);
  trainer.run();
  EXPECT_NE(trainer.digest(), alone);
}

// What the law is for: along the pairs of workers the order of addition depends on their number. With four
// micro-batches the tree of four workers is the canonical one, while three workers go through the first.
TEST(LockstepLawControl, TheTreeCollectiveDependsOnTheNumberOfWorkers) {
  TemporaryFolder folder;
  const std::string alone = train(small_recipe(folder.file("w1")), 1);
  const auto with_tree = [&](int workers) {
    Config config = small_recipe(folder.file("tree" + std::to_string(workers)));
    config.solver.collective = "tree";
    return train(config, workers);
  };
  EXPECT_EQ(with_tree(4), alone);
  EXPECT_NE(with_tree(3), alone);
}

}  // namespace
}  // namespace lockstep
