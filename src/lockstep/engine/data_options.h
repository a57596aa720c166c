// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/config/config.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/data/roi_data_loader.h"
#include "lockstep/data/test_input.h"

namespace lockstep {

// The data room's options as a recipe states them.
MinibatchOptions minibatch_options(const Config& config);
TestInputOptions test_input_options(const Config& config);
Prefill prefill_option(const Config& config);

}  // namespace lockstep
