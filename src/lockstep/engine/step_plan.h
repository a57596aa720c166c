// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/graph/memory_plan.h"

namespace lockstep {

// Sizes of one micro-batch, for planning.
struct InputSizes {
  std::int64_t images = 1;
  std::int64_t height = 0, width = 0;  // of the padded images
  std::int64_t boxes = 0;              // of all images
};
// The largest micro-batch that the recipe allows: the longest shorter edge (INPUT.MIN_SIZE_TRAIN) with the longest
// longer one (MAX_SIZE_TRAIN), lying, padded; 16 boxes per image.
InputSizes largest_input(const Config& config);
// Takes the sizes of a micro-batch (data/minibatch.h) where its images have more pixels; the boxes grow in any case.
void grow_to(InputSizes& sizes, const std::vector<Tensor>& micro_batch);

// Bytes of one worker, or of all.
struct MemoryUse {
  std::size_t parameters = 0;  // trainable or not
  std::size_t momentum = 0;
  std::size_t gradients = 0;  // tree nodes between micro-batches; other gradients live in the arena
  std::size_t arena = 0;      // activations and gradients in turn
  std::size_t other = 0;      // input images, results, constants and what is too small for a turn
  std::size_t scratch = 0;    // work areas of the kernels
  std::size_t total() const { return parameters + momentum + gradients + arena + other + scratch; }
};

// The nets of a step as they will run: sizes, kernels, operations, memory.
struct StepPlan {
  std::vector<std::vector<OpPlan>> accumulate;  // as TrainNets::accumulate
  std::vector<OpPlan> step;
  std::vector<MemoryPlan> arenas;  // per worker
  MemoryUse memory;                // of all workers
};
StepPlan plan_step(const TrainNets& nets, const OpCatalog& catalog, const InputSizes& sizes, int threads);

// An init net, and the test net on one image of the largest size that the recipe tests with; one thread.
std::vector<OpPlan> plan_init(const NetDef& init, const OpCatalog& catalog);
std::vector<OpPlan> plan_test(const TestNets& nets, const OpCatalog& catalog, const Config& config);

// Which part of a worker's memory a blob that the init net fills belongs to.
std::size_t& memory_part(MemoryUse& memory, const TrainNets& nets, const std::string& blob);

// The lines of a table, one part each, "part  MiB", with the measured figures beside them when there are some.
std::string memory_table(const MemoryUse& planned, const MemoryUse* measured = nullptr);

}  // namespace lockstep
