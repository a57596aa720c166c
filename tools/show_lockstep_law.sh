#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows the lockstep law: the same parameters, bit for bit, from every number of workers, with or without a resume.
#
#   tools/show_lockstep_law.sh [LOCKSTEP] [DATA] [RECIPE]
#     LOCKSTEP  the program (build/bin/lockstep)
#     DATA      training data, as DATASETS.TRAIN takes it; default: 60 pictures of shapes, made for the occasion
#     RECIPE    default: @demo
#
# Trains 20 steps with 1, 2, 3 and 4 workers; takes the run of 3 workers back to its checkpoint of step 10, as if it had
# been interrupted there, and resumes it with 2; then a control with another seed, which must differ.
# Exit codes: 0 the law holds; 1 it does not; else what lockstep returned.
set -euo pipefail

lockstep=${1:-build/bin/lockstep}
recipe=${3:-@demo}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

data=${2:-}
if [ -z "$data" ]; then
  data=$work/shapes
  "$lockstep" synth "$data" --images 60 >/dev/null
fi

# train RUN WORKERS [more arguments]: a short training, within the warm-up of the recipe.
train() {
  local run=$work/$1 workers=$2
  shift 2
  "$lockstep" train --config-file "$recipe" --out "$run" --workers "$workers" "$@" \
    DATASETS.TRAIN "$data" DATASETS.TEST '[]' SOLVER.MAX_ITER 20 SOLVER.STEPS '[]' SOLVER.CHECKPOINT_PERIOD 10 \
    >/dev/null 2>"$work/log" ||
    { status=$?; cat "$work/log" >&2; exit "$status"; }
}
digest() { "$lockstep" weights inspect "$work/$1" --digest; } # digest FILE

failed=0
report() { # report TEXT DIGEST WANTED: equal or different from the digest of one worker
  local verdict=equal
  [ "$2" = "$first" ] || verdict=different
  [ "$verdict" = "$3" ] || { verdict="$verdict, WANTED $3"; failed=1; }
  printf '%-34s %s  %s\n' "$1" "$2" "$verdict"
}

train w1 1
first=$(digest w1/model_final.safetensors)
report "20 steps, 1 worker" "$first" equal
for workers in 2 3 4; do
  train "w$workers" "$workers"
  report "20 steps, $workers workers" "$(digest "w$workers/model_final.safetensors")" equal
done

checkpoint=checkpoints/step_00000010.safetensors
mkdir -p "$work/resumed/checkpoints"
cp "$work/w3/config.yaml" "$work/w3/run.json" "$work/resumed/"
cp "$work/w3/$checkpoint" "$work/resumed/checkpoints/"
echo "$checkpoint" >"$work/resumed/last_checkpoint"
report "10 steps, 3 workers" "$(digest "resumed/$checkpoint")" different
train resumed 2 --resume
report "resumed with 2 workers, 10 more" "$(digest resumed/model_final.safetensors)" equal

train control 1 SEED 4
report "control: another seed" "$(digest control/model_final.safetensors)" different
exit "$failed"
