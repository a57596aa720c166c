// SPDX-License-Identifier: Apache-2.0
// One worker fails while others wait for their data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "engine/small_run.h"
#include "lockstep/base/check.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/engine/detector.h"
#include "lockstep/engine/trainer.h"
#include "lockstep/ops/catalog.h"
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void fail_on_the_first(KernelContext& context) {
  LS_CHECK(kNumeric, context.input(1).data<std::int32_t>()[0] != 0, "micro-batch 0 is bad");
}

OpCatalog failing_catalog() {
  OpCatalog catalog;
  register_ops(catalog);
  register_solver_ops(catalog);
  catalog.add(lockstep_all_reduce_schema());
  OpSchema fold = fold_gradient_schema();
  catalog.add(fold.cpu(function_kernel(fail_on_the_first)));
  return catalog;
}

// Worker 0 owns micro-batches 0 to 3 and fails on the first; with room for one in its queue the loader stands still
// before it and worker 1 gets nothing.
TEST(WorkerFailure, ReachesTheCallerThoughAnotherWorkerWaitsForData) {
  TemporaryFolder folder;
  Config config = small_recipe(folder.file("run"));
  config.model.execution_type = "dag";
  config.solver.ims_per_batch = 8;
  config.dataloader.blobs_queue_capacity = 1;
  config.dataloader.minibatch_queue_size = 1;
  const OpCatalog catalog = failing_catalog();
  TrainerOptions options;
  options.workers = 2;
  Trainer trainer(config, options, {}, catalog);
  std::optional<Error> caught;
  try {
    trainer.run();
  } catch (const Error& error) {
    caught = error;
  }
  ASSERT_TRUE(caught);
  EXPECT_EQ(caught->kind(), ErrorKind::kNumeric);
  EXPECT_EQ(caught->message(), "micro-batch 0 is bad");
  EXPECT_THAT(caught->what(), HasSubstr("\n  at step 0\n"));
  EXPECT_THAT(caught->what(), Not(HasSubstr("at at")));
}

TEST(WorkerFailure, EndsADetectionThatReportsProgress) {
  TemporaryFolder folder;
  const Config config = small_recipe(folder.file("run"));
  Dataset pictures;
  pictures.images.resize(3);  // without files; there are no weights either
  for (const int workers : {1, 2}) {
    EXPECT_THROW(detect_all(config, {}, pictures, workers, 1, [](std::size_t) {}), Error);
  }
}

}  // namespace
}  // namespace lockstep
