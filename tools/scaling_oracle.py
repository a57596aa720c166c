#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the scaling of recipes with an independent reckoning, over random recipes.

    tools/scaling_oracle.py build/bin/scaling_cases [--recipes 100000] [--seed 1]

`detectron2` is repeated in CPython's doubles with its round(), `exact` in fractions.Fraction. Every value must agree
to the last bit, refusals too. Prints the first differences; exit codes: 0 all equal, 1 differences.
"""
import argparse
import fractions
import math
import random
import subprocess
import sys

Fraction = fractions.Fraction


def draw(source):
    """One recipe: rule, workers and the values of the schedule."""
    reference = source.choice([0] + list(range(1, 65)) * 3)
    batch = source.randint(1, 64) if source.random() < 0.1 else max(reference, 1) * source.randint(1, 8)
    longest = source.choice([50, 5000, 1000000])
    length = source.randint(1, longest)
    steps = sorted({source.randint(0, length + 3) for _ in range(source.randint(0, 4))})
    return {
        "rule": source.choice(["detectron2", "exact/linear", "exact/sqrt", "exact/none"]),
        "workers": source.choice([source.randint(0, 16), source.randint(1, 1024)]),
        "reference": reference, "batch": batch,
        "lr": source.choice([0.02, 0.1, 0.001, source.uniform(1e-6, 2)]),
        "lr_end": source.choice([0.0, source.uniform(0, 1e-3)]),
        "max": length, "warmup": source.choice([0, source.randint(0, length)]),
        "eval": source.choice([0, source.randint(0, longest)]),
        "checkpoint": source.choice([0, source.randint(0, longest)]), "steps": steps,
    }


def question(recipe):
    values = [recipe["rule"], recipe["workers"], recipe["reference"], recipe["batch"], recipe["lr"].hex(),
              recipe["lr_end"].hex(), recipe["max"], recipe["warmup"], recipe["eval"], recipe["checkpoint"]]
    return " ".join(str(value) for value in values + recipe["steps"])


def scale_like_detectron2(recipe):
    scale = recipe["workers"] / recipe["reference"]
    whole = {key: int(round(recipe[key] / scale)) for key in ("max", "warmup", "eval", "checkpoint")}
    return {**recipe, **whole, "reference": recipe["workers"], "batch": int(round(recipe["batch"] * scale)),
            "lr": recipe["lr"] * scale, "steps": [int(round(step / scale)) for step in recipe["steps"]]}


def scale_exactly(recipe):
    growth = Fraction(recipe["workers"], recipe["reference"])

    def rate(value):
        rule = recipe["rule"].split("/")[1]
        if rule == "linear":
            return float(Fraction(value) * growth)
        return value * (math.sqrt(recipe["workers"] / recipe["reference"]) if rule == "sqrt" else 1.0)

    def shrunk(value):
        return max(round(Fraction(value) / growth), min(value, 1))

    scaled = {**recipe, **{key: shrunk(recipe[key]) for key in ("max", "warmup", "eval", "checkpoint")}}
    scaled.update(reference=recipe["workers"], batch=round(recipe["batch"] * growth), lr=rate(recipe["lr"]),
                  lr_end=rate(recipe["lr_end"]))
    effective = [step for step in recipe["steps"] if step < recipe["max"]]
    least = min(effective[0], 1) if effective else 0
    if effective and len(effective) > scaled["max"] - least:
        return None
    # The nearest rising list between `least` and the end: the latest of what each step and those before it ask for,
    # then not later than what those behind it leave.
    rising = [max([least + i] + [round(Fraction(step) / growth) + i - k for k, step in enumerate(effective[:i + 1])])
              for i in range(len(effective))]
    scaled["steps"] = [min(step, scaled["max"] - len(rising) + i) for i, step in enumerate(rising)]
    return scaled


def expected_answer(recipe):
    if recipe["workers"] < 1:
        return "error"
    scaled = recipe
    if recipe["reference"] not in (0, recipe["workers"]):
        if recipe["batch"] % recipe["reference"] != 0:
            return "error"
        scaled = scale_like_detectron2(recipe) if recipe["rule"] == "detectron2" else scale_exactly(recipe)
    if scaled is None:
        return "error"
    return [scaled[key] for key in ("reference", "batch", "lr", "lr_end", "max", "warmup", "eval", "checkpoint")] + \
        list(scaled["steps"])


def read_answer(line):
    if line == "error":
        return line
    words = line.split()
    return [int(word) for word in words[:2]] + [float.fromhex(word) for word in words[2:4]] + \
        [int(word) for word in words[4:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the built scaling_cases")
    parser.add_argument("--recipes", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    recipes = [draw(source) for _ in range(arguments.recipes)]
    text = "".join(question(recipe) + "\n" for recipe in recipes)
    run = subprocess.run([arguments.program], input=text, capture_output=True, text=True, check=True)
    answers = run.stdout.splitlines()
    if len(answers) != len(recipes):
        sys.exit(f"found {len(answers)} answers to {len(recipes)} recipes")
    differences = refusals = 0
    for recipe, line in zip(recipes, answers):
        expected, found = expected_answer(recipe), read_answer(line)
        refusals += expected == "error"
        if expected != found:
            differences += 1
            if differences <= 5:
                print(f"{question(recipe)}\n  found    {found}\n  expected {expected}")
    print(f"{len(recipes)} recipes, {refusals} of them refused, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
