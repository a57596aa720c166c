#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the known learning rates that tests/solver/lr_schedule_golden_test.cc reads.

    pip install fvcore && tools/goldens/make_lr_schedules.py [--out tests/solver/data/fvcore_schedules.txt]

The multipliers come from fvcore's own schedulers, put together as Detectron2 does for its three values of
LR_SCHEDULER_NAME. A line holds: scheduler, BASE_LR, BASE_LR_END, GAMMA, NUM_DECAYS, MAX_ITER, WARMUP_ITERS,
WARMUP_FACTOR, WARMUP_METHOD, RESCALE_INTERVAL, STEPS as [a,b], then iteration=rate for some iterations. Numbers are
hexadecimal.
"""
import argparse
import pathlib
import random

from fvcore.common import param_scheduler as fv


def multiplier(recipe):
    length, gamma = recipe["max"], recipe["gamma"]
    if recipe["name"] == "WarmupMultiStepLR":
        steps = [step for step in recipe["steps"] if step <= length]
        inner = fv.MultiStepParamScheduler([gamma ** k for k in range(len(steps) + 1)], num_updates=length,
                                           milestones=steps)
    elif recipe["name"] == "WarmupCosineLR":
        inner = fv.CosineParamScheduler(1, recipe["end"] / recipe["base"])
    else:
        inner = fv.StepWithFixedGammaParamScheduler(base_value=1.0, gamma=gamma, num_decays=recipe["decays"],
                                                    num_updates=length)
    part = min(recipe["warmup"] / length, 1.0)
    start = recipe["factor"] * inner(0.0)
    end = inner(0.0) if recipe["rescale"] else inner(part)
    rise = fv.ConstantParamScheduler(start) if recipe["method"] == "constant" else fv.LinearParamScheduler(start, end)
    return fv.CompositeParamScheduler([rise, inner], [part, 1 - part],
                                      ["rescaled", "rescaled" if recipe["rescale"] else "fixed"])


def draw(source):
    length = source.choice([40, 1000, 90000, 720000, source.randint(20, 100000)])
    count = source.randint(0, 4)
    return {
        "name": source.choice(["WarmupMultiStepLR", "WarmupCosineLR", "WarmupStepWithFixedGammaLR"]),
        "base": source.choice([0.02, 0.1, 0.0025]), "end": source.choice([0.0, 0.001]),
        "gamma": source.choice([0.1, 0.5]), "decays": source.randint(1, 5), "max": length,
        "warmup": source.choice([0, 1, length // 10, length // 3]), "factor": source.choice([0.001, 1 / 3]),
        "method": source.choice(["linear", "constant"]), "rescale": source.random() < 0.5,
        "steps": sorted(source.sample(range(1, length), count)),
    }


def iterations(recipe, source):
    marks = [0, recipe["warmup"], recipe["max"] // 2, recipe["max"] - 1] + recipe["steps"]
    near = {mark + shift for mark in marks for shift in (-1, 0, 1)} | {source.randrange(recipe["max"]) for _ in range(6)}
    return sorted(mark for mark in near if 0 <= mark < recipe["max"])


def line(recipe, source):
    at = multiplier(recipe)
    words = [recipe["name"], recipe["base"].hex(), recipe["end"].hex(), recipe["gamma"].hex(), recipe["decays"],
             recipe["max"], recipe["warmup"], recipe["factor"].hex(), recipe["method"], int(recipe["rescale"]),
             "[" + ",".join(map(str, recipe["steps"])) + "]"]
    rates = [f"{i}={(recipe['base'] * at(i / recipe['max'])).hex()}" for i in iterations(recipe, source)]
    return " ".join(map(str, words + rates)) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tests/solver/data/fvcore_schedules.txt"))
    parser.add_argument("--recipes", type=int, default=150)
    arguments = parser.parse_args()
    source = random.Random(7)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text("".join(line(draw(source), source) for _ in range(arguments.recipes)))


if __name__ == "__main__":
    main()
