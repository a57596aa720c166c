// SPDX-License-Identifier: Apache-2.0
// SOLVER.REFERENCE.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_reference_keys(KeyTableBuilder& t) {
  t.section(
      "SOLVER.REFERENCE",
      "The recipe that this one was scaled from by `exact` scaling, which writes these keys; further scaling starts "
      "from it. WORLD_SIZE 0: this recipe is the reference.");
  LS_KEY(t, solver.reference.world_size, "Workers that it was made for.").extension().between(0, 2147483647);
  LS_KEY(t, solver.reference.ims_per_batch, "Its IMS_PER_BATCH.").extension().at_least(0);
  LS_KEY(t, solver.reference.base_lr, "Its BASE_LR.").extension().at_least(0);
  LS_KEY(t, solver.reference.base_lr_end, "Its BASE_LR_END.").extension().at_least(0);
  LS_KEY(t, solver.reference.lrs, "Its LRS.").extension().at_least(0);
  LS_KEY(t, solver.reference.max_iter, "Its MAX_ITER.").extension().between(0, 1e9);
  LS_KEY(t, solver.reference.steps, "Its STEPS.").extension().at_least(0);
  LS_KEY(t, solver.reference.step_size, "Its STEP_SIZE.").extension().at_least(0);
  LS_KEY(t, solver.reference.warmup_iters, "Its WARMUP_ITERS.").extension().at_least(0);
  LS_KEY(t, solver.reference.checkpoint_period, "Its CHECKPOINT_PERIOD.").extension().at_least(0);
  LS_KEY(t, solver.reference.eval_period, "Its TEST.EVAL_PERIOD.").extension().at_least(0);
}

}  // namespace lockstep
