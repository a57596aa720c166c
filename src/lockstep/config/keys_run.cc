// SPDX-License-Identifier: Apache-2.0
// Keys without a section.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_run_keys(KeyTableBuilder& t) {
  t.section("", "The run as a whole.");
  LS_KEY(t, version, "Version of the config format; 2 is the only one.").between(2, 2);
  LS_KEY(t, output_dir, "The run directory, relative to the working directory of the process.").path();
  LS_KEY(t, seed, "Seed of every random draw. -1 is the fixed seed 3 (Detectron2 takes a new seed every time).")
      .at_least(-1);
  LS_KEY(t, root_gpu_id, "The local device that runs what only one device runs: the test net, printing.")
      .extension()
      .at_least(0);
  LS_KEY(t, cudnn_benchmark, "Speed setting of cuDNN.").no_effect();
  LS_KEY(t, float32_precision, "Precision of float32 products on GPUs; here they are always full float32.").no_effect();
  LS_KEY(t, vis_period, "Iterations between training pictures in the event file.").no_effect().at_least(0);
  t.section("GLOBAL", "Not used.");
  LS_KEY(t, global.hack, "Left for experiments by Detectron2.").no_effect();
}

}  // namespace lockstep
