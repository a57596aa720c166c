// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace lockstep {

// How a key depends on the number of workers: images of a step grow with it, learning rates by SOLVER.LR_SCALING, and
// times shrink.
enum class ScaledKeyKind { kBatch, kRate, kTime };

struct ScaledKey {
  const char* path;
  ScaledKeyKind kind;
};

// The keys of ScaledSettings, in the order in which people read a schedule.
inline constexpr std::array kScaledKeys = {
    ScaledKey{"SOLVER.IMS_PER_BATCH", ScaledKeyKind::kBatch},
    ScaledKey{"SOLVER.BASE_LR", ScaledKeyKind::kRate},
    ScaledKey{"SOLVER.BASE_LR_END", ScaledKeyKind::kRate},
    ScaledKey{"SOLVER.LRS", ScaledKeyKind::kRate},
    ScaledKey{"SOLVER.MAX_ITER", ScaledKeyKind::kTime},
    ScaledKey{"SOLVER.WARMUP_ITERS", ScaledKeyKind::kTime},
    ScaledKey{"SOLVER.STEPS", ScaledKeyKind::kTime},
    ScaledKey{"SOLVER.STEP_SIZE", ScaledKeyKind::kTime},
    ScaledKey{"TEST.EVAL_PERIOD", ScaledKeyKind::kTime},
    ScaledKey{"SOLVER.CHECKPOINT_PERIOD", ScaledKeyKind::kTime},
};

}  // namespace lockstep
