// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "lockstep/config/config.h"

namespace lockstep {

// A recipe that nobody changes any more.
using ConfigPtr = std::shared_ptr<const Config>;

// Detectron2's linear scaling rule, to the bit. With old = SOLVER.REFERENCE_WORLD_SIZE and scale = num_workers / old
// (a double): IMS_PER_BATCH and BASE_LR are multiplied by scale; MAX_ITER, WARMUP_ITERS, each of STEPS,
// TEST.EVAL_PERIOD and CHECKPOINT_PERIOD are divided by it; whole numbers are rounded half to even; the reference
// becomes num_workers, so that a second call changes nothing. The same object when old is 0 or num_workers.
// Periods, warm-up and steps may become 0 and steps equal, as in Detectron2 (check_rounding finds that). Logs one
// line when it changes something. Throws kConfig when num_workers is below 1, or when old does not divide
// IMS_PER_BATCH ("Invalid REFERENCE_WORLD_SIZE in config!"). Times must be in iterations (resolve_epochs).
ConfigPtr auto_scale_workers(const ConfigPtr& config, int num_workers);

}  // namespace lockstep
