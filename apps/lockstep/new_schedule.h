// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "lockstep/config/config.h"

namespace lockstep::app {

// "30m", "2h", "90s" or "1h30m" in seconds. kConfig for anything else and for 0.
double parse_duration(const std::string& text);

// Seconds of a training step of `config`, from a few steps in a folder that is removed again. The parameters are
// thrown away.
double measure_step_seconds(Config config);

// Sets SOLVER.BASE_LR (at most 0.01), MAX_ITER, STEPS, WARMUP_ITERS (at most 200, and half of the steps),
// CHECKPOINT_PERIOD and TEST.EVAL_PERIOD so that training with an evaluation in each epoch takes about `seconds` when a
// step takes `step_seconds`; at most 200 epochs, at least one step.
void fit_schedule(Config& config, std::int64_t train_images, std::int64_t test_images, double seconds,
                  double step_seconds);

}  // namespace lockstep::app
