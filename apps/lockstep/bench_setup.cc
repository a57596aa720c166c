// SPDX-License-Identifier: Apache-2.0
#include "bench_setup.h"

#include "lockstep/config/support.h"
#include "lockstep/data/roidb.h"
#include "lockstep/engine/classes.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/engine/numerics.h"

namespace lockstep::app {

std::unique_ptr<MinibatchBuilder> open_training_data(Config& config) {
  check_supported(config);
  pin_instruction_set(config);
  const auto dataset = std::make_shared<Dataset>(combined_roidb_for_training(config).dataset);
  set_classes(config, dataset->categories);
  return std::make_unique<MinibatchBuilder>(dataset, minibatch_options(config));
}

}  // namespace lockstep::app
