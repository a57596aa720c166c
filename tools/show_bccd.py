#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a recipe once per seed and prints the average precision of each run, the mean and the spread.

    tools/show_bccd.py [LOCKSTEP] [DATA] [--recipe @bccd] [--seeds 1,2,3] [--out run/bccd] [KEY VALUE ...]

LOCKSTEP is the program (build/bin/lockstep); DATA a folder with instances_train.json, instances_val.json and images/.
Works for every data set of that form, as in --recipe @cards. The figures come from metrics.jsonl and from
`lockstep eval`, whose AP must equal the one that training wrote (exit code 1 where it does not). A run that is there
already is not trained again; one that was interrupted goes on.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def train(arguments, seed, run):
    data = pathlib.Path(arguments.data)
    spec = [f"coco:{data}/instances_{part}.json:{data}/images" for part in ("train", "val")]
    if (run / "model_final.safetensors").exists():
        print(f"{run}: trained already", file=sys.stderr)
        return
    subprocess.run([arguments.lockstep, "train", "--config-file", arguments.recipe, "--workers", str(arguments.workers),
                    "--resume=auto", "--out", str(run), "DATASETS.TRAIN", spec[0], "DATASETS.TEST", spec[1],
                    "SEED", str(seed), *arguments.overrides], check=True, stdout=subprocess.DEVNULL)


def figures(arguments, run):
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    steps = [line for line in lines if "seconds" in line]
    evaluation = [line for line in lines if "bbox/AP" in line][-1]
    report = json.loads(subprocess.run([arguments.lockstep, "eval", str(run), "--json"], check=True,
                                       capture_output=True, text=True).stdout)
    for name in ("AP", "AP50"):
        if report[name] != evaluation[f"bbox/{name}"]:
            trained = evaluation[f"bbox/{name}"]
            sys.exit(f"{run}: {name} is {trained} in metrics.jsonl and {report[name]} by lockstep eval")
    seconds = sum(line["seconds"] for line in steps)
    config = (run / "config.effective.yaml").read_text()
    batch = next(int(line.split()[1]) for line in config.splitlines() if line.strip().startswith("IMS_PER_BATCH:"))
    images = steps[-1]["step"] * batch
    return {"AP": report["AP"], "AP50": report["AP50"], "minutes": seconds / 60, "images": images,
            "images/s": images / seconds, "classes": {c["name"]: c["AP"] for c in report["categories"]}}


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep", nargs="?", default="build/bin/lockstep")
    parser.add_argument("data", nargs="?", default="data/bccd")
    parser.add_argument("overrides", nargs="*", metavar="KEY VALUE")
    parser.add_argument("--recipe", default="@bccd")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("run/bccd"))
    arguments = parser.parse_intermixed_args(argv)

    runs = []
    print("seed        AP    AP50  minutes  images  images/s  AP per class")
    for seed in arguments.seeds.split(","):
        run = arguments.out / f"seed_{seed}"
        train(arguments, seed, run)
        runs.append(figures(arguments, run))
        r = runs[-1]
        classes = ", ".join(f"{name} {ap:.3f}" for name, ap in r["classes"].items())
        print(f"{seed:<8} {r['AP']:.4f}  {r['AP50']:.4f}  {r['minutes']:>7.2f}  {r['images']:>6}  {r['images/s']:>8.2f}"
              f"  {classes}", flush=True)
    for text, of in (("mean", statistics.mean), ("lowest", min), ("highest", max)):
        print(f"{text:<8} {of([r['AP'] for r in runs]):.4f}  {of([r['AP50'] for r in runs]):.4f}")


if __name__ == "__main__":
    main(sys.argv[1:])
