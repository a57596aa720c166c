// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "lockstep/config/config.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/data/roi_data_loader.h"
#include "lockstep/data/test_input.h"

namespace lockstep {

// The data room's options as a recipe states them.
MinibatchOptions minibatch_options(const Config& config);
// Repeats of images, when DATALOADER.SAMPLER_TRAIN asks for them.
std::optional<RepeatOptions> repeat_options(const Config& config);
// The images of one epoch: those of the data set, with their repeats.
std::int64_t images_per_epoch(const Config& config, const Dataset& dataset);
TestInputOptions test_input_options(const Config& config);
// Threads, queues and limits; the caller adds workers, end and the rest.
LoaderOptions loader_options(const Config& config);
Prefill prefill_option(const Config& config);

}  // namespace lockstep
