// SPDX-License-Identifier: Apache-2.0
// SOLVER.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_solver_keys(KeyTableBuilder& t) {
  t.section("SOLVER", "Batch, schedule and update rule.");
  LS_KEY(t, solver.ims_per_batch, "Images of one step, over all workers.").between(1, 1e6);
  LS_KEY(t, solver.ims_per_micro_batch,
         "Images that are computed together; must divide IMS_PER_BATCH. The result depends on it, not on the workers.")
      .extension()
      .at_least(1);
  LS_KEY(t, solver.reference_world_size,
         "Workers that the schedule was made for; other counts then scale batch, rate and schedule. 0: never scale.")
      .between(0, 2147483647);
  LS_KEY(t, solver.scaling,
         "How: `detectron2` as auto_scale_workers, to the bit; `exact` from the reference recipe, reversible, with "
         "nothing rounded to 0 (docs/scaling.md).")
      .extension()
      .choices({"detectron2", "exact"});
  LS_KEY(t, solver.lr_scaling, "How learning rates grow with the batch under `exact` scaling.")
      .extension()
      .choices({"linear", "sqrt", "none"});
  LS_KEY(t, solver.max_iter, "Steps of the whole training.").absence_matters().between(0, 1e9);
  LS_KEY(t, solver.max_epochs,
         "Length of the training in epochs (passes over the training images); above 0 it takes the place of MAX_ITER, "
         "which then must be absent or 0.")
      .extension()
      .between(0, 1e9);
  LS_KEY(t, solver.base_lr, "Learning rate after the warm-up.").at_least(0);
  LS_KEY(t, solver.base_lr_end, "Learning rate at the end, for schedulers that approach one.").at_least(0);
  LS_KEY(
      t, solver.lr_scheduler_name,
      "Shape of the learning rate. Detectron2's: `WarmupMultiStepLR`, `WarmupCosineLR`, `WarmupStepWithFixedGammaLR`; "
      "Detectron's: `step`, `steps_with_decay`, `steps_with_lrs`, `cosine_decay`, `exp_decay`.")
      .supports({"WarmupMultiStepLR", "WarmupCosineLR", "WarmupStepWithFixedGammaLR", "step", "steps_with_decay",
                 "steps_with_lrs", "cosine_decay", "exp_decay"});
  LS_KEY(
      t, solver.steps,
      "Times at which the learning rate is multiplied by GAMMA, or taken from LRS. Detectron's policies begin with 0.")
      .at_least(0);
  LS_KEY(t, solver.step_size, "Time between drops of the learning rate, for Detectron's `step` policy.")
      .extension()
      .at_least(0);
  LS_KEY(t, solver.lrs, "Learning rates from each of STEPS on, for Detectron's `steps_with_lrs` policy.")
      .extension()
      .at_least(0);
  LS_KEY(t, solver.gamma, "Factor at each of STEPS, at each decay, or over the whole of `exp_decay`.").at_least(0);
  LS_KEY(t, solver.num_decays, "Decays of `WarmupStepWithFixedGammaLR`, at equal distances.").at_least(0);
  LS_KEY(t, solver.warmup_iters, "Length of the warm-up; MAX_ITER where that is smaller.").at_least(0);
  LS_KEY(t, solver.warmup_factor, "Part of the learning rate at the start of the warm-up.").at_least(0);
  LS_KEY(t, solver.warmup_method, "`linear` rise from WARMUP_FACTOR, or `constant` at it.")
      .choices({"linear", "constant"});
  LS_KEY(t, solver.rescale_interval,
         "Squeezes the whole of a Detectron2 policy into what follows the warm-up, instead of cutting its start off.");
  LS_KEY(t, solver.momentum, "Momentum of the gradient descent.").between(0, 1);
  LS_KEY(t, solver.scale_momentum,
         "Scales the momentum with a jump of the learning rate, where the rate is inside the velocity (UPDATE_RULE "
         "`detectron`).")
      .extension();
  LS_KEY(t, solver.scale_momentum_threshold, "Least factor of the learning rate that counts as a jump.")
      .extension()
      .at_least(1);
  LS_KEY(t, solver.nesterov, "Nesterov momentum.").only({false});
  LS_KEY(t, solver.weight_decay, "Decay of weights.").at_least(0);
  LS_KEY(t, solver.weight_decay_norm, "Decay of normalisation parameters.").at_least(0);
  LS_KEY(t, solver.weight_decay_bias, "Decay of biases; null: as WEIGHT_DECAY.").at_least(0);
  LS_KEY(t, solver.bias_lr_factor, "Factor of the learning rate for biases.").at_least(0);
  LS_KEY(t, solver.update_rule,
         "`detectron2`: gradient + decay, momentum, then the rate. `detectron`: the rate inside the velocity, bias "
         "gradients doubled and not decayed.")
      .extension()
      .choices({"detectron2", "detectron"});
  LS_KEY(t, solver.checkpoint_period, "Time between checkpoints; 0 writes only the last one.").at_least(0);
  LS_KEY(t, solver.checkpoint_minutes,
         "Minutes of wall clock after which a checkpoint is due, besides CHECKPOINT_PERIOD; 0: none.")
      .extension()
      .at_least(0);
  LS_KEY(
      t, solver.collective,
      "How gradients are summed over workers: `lockstep` in one order, so that every number of workers gives the same "
      "bits; `tree` along the pairs of workers as the ancestors do, in an order that depends on their number (over "
      "several processes: one MPI_Allreduce, in the library's order).")
      .extension()
      .choices({"lockstep", "tree"});
  LS_KEY(t, solver.bucket_bytes,
         "Gradients that are sent to other processes together; small ones wait for each other, large ones for nothing.")
      .extension()
      .at_least(1);
  LS_KEY(t, solver.cpu_isa,
         "Highest CPU instruction set to use, so that machines agree bit for bit; empty: what the machine has.")
      .extension()
      .choices({"", "sse41", "avx", "avx2", "avx512_core"});
  LS_KEY(t, solver.digest_period, "Steps between comparisons of the workers' parameters; 0 never compares.")
      .extension()
      .at_least(0);
  LS_KEY(t, solver.clip_gradients.enabled, "Clips gradients before the update.").only({false});
  LS_KEY(t, solver.clip_gradients.clip_type,
         "What is clipped: each `value`, each parameter's `norm`, or the `full_model` norm.")
      .no_effect()
      .choices({"value", "norm", "full_model"});
  LS_KEY(t, solver.clip_gradients.clip_value, "Limit.").no_effect();
  LS_KEY(t, solver.clip_gradients.norm_type, "Exponent of the norm.").no_effect();
  LS_KEY(t, solver.amp.enabled, "Mixed precision.").only({false});
}

}  // namespace lockstep
