// SPDX-License-Identifier: Apache-2.0
// Memory of a whole step: shared memory changes no bit, and what the plan predicts is what is held.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/small_run.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/engine/step_plan.h"
#include "lockstep/engine/worker_group.h"
#include "lockstep/io/digest.h"

namespace lockstep {
namespace {

struct Outcome {
  std::string digest;
  MemoryUse measured;
  StepPlan plan;
};

void expect_within_tenth(std::size_t planned, std::size_t measured, const std::string& what) {
  EXPECT_NEAR(static_cast<double>(planned) / static_cast<double>(measured), 1, 0.1)
      << what << ": planned " << planned << ", measured " << measured;
}

// Three steps of a small recipe on images of one size.
Outcome train(int workers, bool share, bool poison) {
  TemporaryFolder folder;
  Config config = small_recipe(folder.file("run"));
  config.input.min_size_train = {96};
  const OpCatalog catalog = full_catalog();
  const TrainNets nets = build_train_nets(config, catalog, workers);
  WorkerGroup group(nets, catalog, std::vector<int>(static_cast<std::size_t>(workers), 1), 3);
  group.share_memory(share);
  if (poison) group.poison_memory(0xff);  // NaN
  const auto data =
      std::make_shared<Dataset>(load_dataset(config.datasets.train, config.datasets.catalog, DataSplit::kTrain));
  const MinibatchBuilder minibatches(data, minibatch_options(config));
  std::vector<std::shared_ptr<BlobsQueue>> queues;
  for (const MicroBatchRange& range : nets.ranges) {
    queues.push_back(std::make_shared<BlobsQueue>(static_cast<std::size_t>(range.size())));
  }
  group.connect(queues);
  InputSizes sizes;
  for (int step = 0; step < 3; ++step) {
    for (std::size_t w = 0; w < queues.size(); ++w) {
      for (int index = nets.ranges[w].begin; index < nets.ranges[w].end; ++index) {
        std::vector<Tensor> record = minibatches.build(step, index);
        grow_to(sizes, record);
        queues[w]->push(std::move(record));
      }
    }
    group.run_step(step, 0.02f);
  }
  NamedTensors parameters;
  for (const Parameter& parameter : nets.parameters) {
    parameters.emplace_back(parameter.name, &group.parameter(parameter.name));
  }
  return {digest(parameters), group.memory(), plan_step(nets, catalog, sizes, 1)};
}

TEST(StepMemory, SharingChangesNoBitEvenWhenMemoryComesPoisoned) {
  const Outcome unshared = train(2, false, false);
  const Outcome shared = train(2, true, true);
  EXPECT_EQ(shared.digest, unshared.digest);
  // The plan says what both hold: no less than what lives at once, and without sharing every temporary its own.
  std::size_t live = 0, apart = 0;
  for (const MemoryPlan& arena : shared.plan.arenas) {
    live += arena.live_bytes;
    apart += arena.unshared_bytes;
  }
  EXPECT_EQ(unshared.measured.arena, 0u);
  EXPECT_LT(shared.plan.memory.arena, apart);
  EXPECT_GE(shared.measured.arena, live);
  expect_within_tenth(shared.plan.memory.arena, shared.measured.arena, "arena");
  expect_within_tenth(shared.plan.memory.other + apart, unshared.measured.other, "without sharing");
  EXPECT_LT(shared.measured.total(), unshared.measured.total());
}

TEST(StepMemory, ThePlanPredictsWhatIsHeld) {
  for (const int workers : {1, 2, 3, 4}) {
    SCOPED_TRACE(fmt::format("{} workers", workers));
    const Outcome run = train(workers, true, false);
    const MemoryUse& planned = run.plan.memory;
    EXPECT_EQ(planned.parameters, run.measured.parameters);
    EXPECT_EQ(planned.momentum, run.measured.momentum);
    EXPECT_EQ(planned.gradients, run.measured.gradients);
    expect_within_tenth(planned.arena, run.measured.arena, "arena");
    expect_within_tenth(planned.total(), run.measured.total(), memory_table(planned, &run.measured));
  }
}

}  // namespace
}  // namespace lockstep
