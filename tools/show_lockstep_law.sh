#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows the lockstep law: the same parameters, bit for bit, from every number of workers, with or without a resume.
#
#   tools/show_lockstep_law.sh [LOCKSTEP] [DATA] [RECIPE]
#     LOCKSTEP  the program (build/bin/lockstep)
#     DATA      training data, as DATASETS.TRAIN takes it; default: 60 pictures of shapes, made for the occasion
#     RECIPE    default: @demo
#
# Trains 20 steps with 1, 2, 3 and 4 workers, and once 10 steps with 3 workers resumed with 2; then a control with
# another seed, which must differ. Exit codes: 0 the law holds; 1 it does not; else what lockstep returned.
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

# train RUN WORKERS [more arguments]: a short training; a warm-up as long as it makes every step move the parameters.
train() {
  local run=$work/$1 workers=$2
  shift 2
  "$lockstep" train --config-file "$recipe" --out "$run" --workers "$workers" "$@" \
    DATASETS.TRAIN "$data" DATASETS.TEST '[]' SOLVER.STEPS '[]' SOLVER.WARMUP_ITERS 5 >/dev/null 2>"$work/log" ||
    { status=$?; cat "$work/log" >&2; exit "$status"; }
}
digest() { "$lockstep" weights inspect "$work/$1/model_final.safetensors" --digest; }

failed=0
report() { # report TEXT DIGEST WANTED: equal or different from the digest of one worker
  local verdict=equal
  [ "$2" = "$first" ] || verdict=different
  [ "$verdict" = "$3" ] || { verdict="$verdict, WANTED $3"; failed=1; }
  printf '%-34s %s  %s\n' "$1" "$2" "$verdict"
}

train w1 1 SOLVER.MAX_ITER 20
first=$(digest w1)
report "20 steps, 1 worker" "$first" equal
for workers in 2 3 4; do
  train "w$workers" "$workers" SOLVER.MAX_ITER 20
  report "20 steps, $workers workers" "$(digest "w$workers")" equal
done
train resumed 3 SOLVER.MAX_ITER 10
report "10 steps, 3 workers" "$(digest resumed)" different
train resumed 2 SOLVER.MAX_ITER 20 --resume
report "resumed with 2 workers, 10 more" "$(digest resumed)" equal
train control 1 SOLVER.MAX_ITER 20 SEED 4
report "control: another seed" "$(digest control)" different
exit "$failed"
