// SPDX-License-Identifier: Apache-2.0
// Runs that are asked to stop at awkward moments, and go on to what an undisturbed run gives.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/small_run.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/trainer.h"
#include "lockstep/ops/catalog.h"
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TrainerOptions with_workers(int workers, ResumeMode resume = ResumeMode::kNever) {
  TrainerOptions options;
  options.workers = workers;
  options.resume = resume;
  return options;
}

// Its rate falls by ten after the first step, and the momentum with it.
Config recipe_with_momentum_correction(const std::string& output_dir) {
  Config config = small_recipe(output_dir);
  config.datasets.test.clear();
  config.solver.ims_per_batch = 8;
  config.solver.update_rule = "detectron";
  config.solver.scale_momentum = true;
  config.solver.steps = {1};
  config.solver.max_iter = 3;
  return config;
}

std::string digest_of_whole_run(const Config& config) {
  Trainer trainer(config, with_workers(2));
  trainer.run();
  return trainer.digest();
}

// Calls `before` and then the kernel that it replaces.
class Interrupted : public Kernel {
 public:
  Interrupted(std::unique_ptr<Kernel> kernel, std::function<void()> before)
      : kernel_(std::move(kernel)), before_(std::move(before)) {}
  void run(KernelContext& context) override {
    before_();
    kernel_->run(context);
  }

 private:
  const std::unique_ptr<Kernel> kernel_;
  const std::function<void()> before_;
};

// The full catalog, with `before` called before each fold of a gradient.
OpCatalog catalog_with_interruption(std::function<void()> before) {
  OpCatalog catalog;
  register_ops(catalog);
  register_solver_ops(catalog);
  catalog.add(lockstep_all_reduce_schema());
  OpSchema fold = fold_gradient_schema();
  catalog.add(fold.cpu([kernel = fold.kernel(Engine::kDevice), before = std::move(before)] {
    return std::make_unique<Interrupted>(kernel(), before);
  }));
  return catalog;
}

// The loader holds two micro-batches of the four that each worker needs, so in the second step the workers find their
// queues closed. The momentum, scaled before that step, must be as it was.
TEST(TrainerCancel, AStepWithoutItsDataIsUndone) {
  TemporaryFolder folder;
  const std::string expected = digest_of_whole_run(recipe_with_momentum_correction(folder.file("straight")));

  Config config = recipe_with_momentum_correction(folder.file("run"));
  config.model.execution_type = "dag";
  config.dataloader.blobs_queue_capacity = 1;
  config.dataloader.minibatch_queue_size = 1;
  CancelToken cancel;
  std::atomic<bool> armed = false;
  const OpCatalog catalog = catalog_with_interruption([&] {
    if (!armed.exchange(false)) return;
    cancel.request();
    std::this_thread::sleep_for(500ms);  // meanwhile the loader stops
  });
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) { armed = report.step == 1; };
  {
    Trainer trainer(config, with_workers(2), callbacks, catalog);
    EXPECT_EQ(trainer.run(cancel), TrainResult::kCancelled);
    EXPECT_EQ(trainer.step(), 1);
  }
  Trainer resumed(config, with_workers(2, ResumeMode::kRequire));
  EXPECT_EQ(resumed.step(), 1);
  EXPECT_EQ(resumed.run(), TrainResult::kFinished);
  EXPECT_EQ(resumed.digest(), expected);
}

TEST(TrainerCancel, AtAnyMomentTheRunGoesOnToTheSameResult) {
  TemporaryFolder folder;
  const std::string expected = digest_of_whole_run(recipe_with_momentum_correction(folder.file("straight")));
  const Config config = recipe_with_momentum_correction(folder.file("run"));
  for (int stops = 0;; ++stops) {
    CancelToken cancel;
    Trainer trainer(config, with_workers(2, ResumeMode::kAuto));
    std::jthread user([&] {
      std::this_thread::sleep_for(stops * 7ms);
      cancel.request();
    });
    if (trainer.run(cancel) == TrainResult::kCancelled) continue;
    EXPECT_EQ(trainer.digest(), expected) << "after " << stops << " stops";
    break;
  }
}

TEST(TrainerCancel, DuringAFullPrefillItEndsAndCanBeResumed) {
  TemporaryFolder folder;
  Config config = recipe_with_momentum_correction(folder.file("run"));
  config.solver.max_iter = 1'000'000;
  config.solver.checkpoint_period = 0;
  config.dataloader.prefill = "full";
  config.dataloader.minibatch_queue_size = 1'000'000;  // hours
  config.dataloader.max_queue_mb = 0;
  CancelToken cancel;
  std::jthread user([&] {
    std::this_thread::sleep_for(50ms);
    cancel.request();
  });
  EXPECT_EQ(Trainer(config, with_workers(2)).run(cancel), TrainResult::kCancelled);
  EXPECT_EQ(Trainer(config, with_workers(1, ResumeMode::kRequire)).step(), 0);
}

// Stopped between the checkpoint of a step and its evaluation, the run evaluates when it goes on.
TEST(TrainerCancel, AnEvaluationThatWasGivenUpComesAgain) {
  TemporaryFolder folder;
  Config config = small_recipe(folder.file("run"));
  config.solver.checkpoint_period = 2;
  config.test.eval_period = 2;
  std::vector<std::int64_t> evaluated;
  CancelToken cancel;
  TrainerCallbacks callbacks;
  callbacks.on_evaluation = [&](const EvalReport& report) { evaluated.push_back(report.step); };
  callbacks.on_checkpoint = [&](const std::string&) { cancel.request(); };
  EXPECT_EQ(Trainer(config, with_workers(2), callbacks).run(cancel), TrainResult::kCancelled);
  EXPECT_TRUE(evaluated.empty());

  callbacks.on_checkpoint = {};
  CancelToken at_the_end;
  callbacks.on_step = [&](const StepReport& report) {
    if (report.step == report.max_iter) at_the_end.request();
  };
  EXPECT_EQ(Trainer(config, with_workers(2, ResumeMode::kRequire), callbacks).run(at_the_end), TrainResult::kCancelled);
  EXPECT_EQ(evaluated, std::vector<std::int64_t>{2});

  callbacks.on_step = {};
  EXPECT_EQ(Trainer(config, with_workers(2, ResumeMode::kRequire), callbacks).run(), TrainResult::kFinished);
  EXPECT_EQ(evaluated, (std::vector<std::int64_t>{2, 4}));
}

}  // namespace
}  // namespace lockstep
