#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times a training step of Lockstep beside torchvision's Faster R-CNN of the same sizes, interleaved in one run.

    tools/compare_torchvision.py [--lockstep build/bin/lockstep] [--config-file F|@NAME] [--data coco:JSON:DIR]
                                 [--threads 1,2] [--rounds 5] [--steps 5] [--model r50] [--json] [KEY VALUE ...]

n threads mean `--workers n --threads 1` for Lockstep and torch.set_num_threads(n) for torchvision. A round is
`lockstep bench step` (K steps, in its own process) and then K steps of torchvision in this process, for each n; each
first runs warm-up steps. Without --data both see the same noise images with 12 boxes each. Needs the packages
of tools/dependencies-dev.txt (distribution's python3). Exit codes: 0 done; 1 the two models differ; 2 wrong arguments;
3 torch is crippled on this machine.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import torch
import torchvision
import yaml

from peers.coco_batches import class_count, load_batches, write_noise_dataset
from peers.torchvision_detector import TrainingStep, build_detector, expected_surplus, trained_values

# Faster R-CNN R50-FPN as torchvision's fasterrcnn_resnet50_fpn, small images.
R50 = {
    "MODEL.RESNETS.DEPTH": 50, "MODEL.RESNETS.NORM": "FrozenBN", "MODEL.RESNETS.STEM_OUT_CHANNELS": 64,
    "MODEL.RESNETS.RES2_OUT_CHANNELS": 256, "MODEL.BACKBONE.FREEZE_AT": 2, "MODEL.FPN.OUT_CHANNELS": 256,
    "MODEL.ROI_BOX_HEAD.FC_DIM": 1024, "MODEL.ROI_HEADS.BATCH_SIZE_PER_IMAGE": 512,
    "MODEL.RPN.PRE_NMS_TOPK_TRAIN": 2000, "MODEL.RPN.POST_NMS_TOPK_TRAIN": 2000,
    "MODEL.ANCHOR_GENERATOR.SIZES": "[[32], [64], [128], [256], [512]]",
    "INPUT.MIN_SIZE_TRAIN": "[320]", "INPUT.MAX_SIZE_TRAIN": 320, "SOLVER.IMS_PER_BATCH": 2}
BATCHES = 4  # prepared steps that both trainers cycle through
MIN_GEMM_GFLOPS = 8.0
MAX_LOAD_PER_CORE = 0.5


def differences(recipe):
    isa = recipe["SOLVER"]["CPU_ISA"]
    micro, batch = recipe["SOLVER"]["IMS_PER_MICRO_BATCH"], recipe["SOLVER"]["IMS_PER_BATCH"]
    return [
        f"Lockstep computes {batch // micro} micro-batches of {micro} and adds their gradients; torchvision one batch "
        f"of {batch}",
        "Lockstep with n > 1: n workers of one thread and an all-reduce; torchvision: one model, n threads inside ops",
        "no loader in both: images are read, decoded, resized and normalised before the clock; torchvision's copy into "
        "a padded batch is inside it",
        f"oneDNN under Lockstep is held to {isa or 'what the processor has'} (SOLVER.CPU_ISA), under torch to "
        f"{os.environ.get('DNNL_MAX_CPU_ISA', 'what the processor has')} (DNNL_MAX_CPU_ISA)",
        "learning rate 0 in both; the update still runs (torchvision: torch.optim.SGD)",
        "torchvision: default memory layout, RoIAlign without the half-pixel shift, Huber loss in the RPN, 4 more box "
        "outputs for the background class; the initial weights differ, so the proposals do"]


def lockstep_lines(arguments, *command):
    process = subprocess.run([arguments.lockstep, *command], capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"compare: {arguments.lockstep} {' '.join(command)} failed:\n{process.stderr.strip()[-2000:]}")
    return process.stdout


def lockstep_values(init_net):
    """Trained values: those with a momentum."""
    shapes = re.findall(r"_momentum = ConstantFill\(.*?shape=\[([\d, ]+)\]", init_net)
    return sum(math.prod(int(n) for n in shape.split(",")) for shape in shapes)


def gemm_gflops():
    torch.set_num_threads(1)
    a, b = torch.randn(512, 2048), torch.randn(2048, 256)
    best = math.inf
    for _ in range(3):
        start = time.perf_counter()
        torch.mm(a, b)
        best = min(best, time.perf_counter() - start)
    return 2e-9 * 512 * 2048 * 256 / best


def torchvision_round(step, threads, steps, warm_up):
    torch.set_num_threads(threads)
    seconds = []
    for k in range(warm_up + steps):
        start = time.perf_counter()
        loss = step()
        if not math.isfinite(loss):
            sys.exit(f"compare: torchvision's loss is {loss}; its step would skip work, so the time means nothing")
        if k >= warm_up:
            seconds.append(time.perf_counter() - start)
    return 1e3 * statistics.median(seconds)


def lockstep_round(arguments, overrides, threads):
    report = json.loads(lockstep_lines(
        arguments, "bench", "step", "--config-file", arguments.config_file, "--workers", str(threads), "--threads", "1",
        "--steps", str(arguments.steps), "--warm-up", str(arguments.warm_up), "--json", *overrides))
    return report["step_ms"]


def summary(values, images):
    median = statistics.median(values)
    return {"median_ms": median, "min_ms": min(values), "max_ms": max(values), "rounds_ms": values,
            "images_per_second": 1e3 * images / median}


def measure(arguments, overrides, recipe, step):
    times = {n: ([], []) for n in arguments.threads}
    for k in range(arguments.rounds):
        for n, (ours, theirs) in times.items():
            ours.append(lockstep_round(arguments, overrides, n))
            theirs.append(torchvision_round(step, n, arguments.steps, arguments.warm_up))
            print(f"round {k + 1} of {arguments.rounds}, {n} threads: lockstep {ours[-1]:.1f} ms, torchvision "
                  f"{theirs[-1]:.1f} ms", file=sys.stderr)
    images = recipe["SOLVER"]["IMS_PER_BATCH"]
    results = []
    for n, (ours, theirs) in times.items():
        ratios = [a / b for a, b in zip(ours, theirs)]
        results.append({"threads": n, "lockstep": summary(ours, images), "torchvision": summary(theirs, images),
                        "ratio": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios)})
    return results


def print_table(report):
    print(f"{report['recipe']}, {report['images_per_step']} images per step; {report['rounds']} rounds of "
          f"{report['steps']} steps, interleaved")
    print(f"torch {report['torch']}, torchvision {report['torchvision']}, BLAS {report['blas']} "
          f"({report['gemm_gflops']:.0f} GFLOP/s on one thread)")
    print(f"trained values: lockstep {report['lockstep_values']:,}, torchvision {report['torchvision_values']:,}")
    print(f"load average: {report['load_before']:.1f} before, {report['load_after']:.1f} after, {os.cpu_count()} cores")
    if report["load_before"] > MAX_LOAD_PER_CORE * os.cpu_count():
        print("WARNING: the machine was busy. Threads that wait for each other suffer most: these figures mean little.")
    print()
    print("threads  trainer       median ms        min        max   images/s")
    for row in report["results"]:
        for name in ("lockstep", "torchvision"):
            t = row[name]
            print(f"{row['threads']:>7}  {name:<12} {t['median_ms']:>10.1f} {t['min_ms']:>10.1f} {t['max_ms']:>10.1f} "
                  f"{t['images_per_second']:>10.2f}")
        print(f"{row['threads']:>7}  lockstep / torchvision: {row['ratio']:.3f} (rounds {row['ratio_min']:.3f} to "
              f"{row['ratio_max']:.3f})")
    print("\nWhat differs:")
    for line in report["differences"]:
        print(f"- {line}")


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lockstep", default="build/bin/lockstep")
    parser.add_argument("--config-file", default="@bccd")
    parser.add_argument("--model", choices=["recipe", "r50"], default="recipe",
                        help="r50: ResNet-50 with frozen batch norm, FPN 256, on 320x320, batch 2, over --config-file")
    parser.add_argument("--data", help="coco:FILE.json:IMAGE_DIR; default: noise images")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--allow-slow-blas", action="store_true")
    parser.add_argument("--json", action="store_true", help="machine output on stdout")
    parser.add_argument("overrides", nargs="*", metavar="KEY VALUE")
    return parser.parse_args(argv)


def blas_library():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        names = sorted({line.split()[-1] for line in maps if re.search(r"lib(open)?blas|mkl_rt", line)})
    return ", ".join(os.path.basename(name) for name in names) or "inside torch"


def run(arguments, folder):
    gflops = gemm_gflops()
    if gflops < MIN_GEMM_GFLOPS and not arguments.allow_slow_blas:
        print(f"compare: torch multiplies matrices at {gflops:.1f} GFLOP/s with {blas_library()}: the reference BLAS, "
              "which would make torchvision look slow. Install libopenblas0-openmp, or give --allow-slow-blas",
              file=sys.stderr)
        return 3
    overrides = [str(x) for pair in R50.items() for x in pair] if arguments.model == "r50" else []
    overrides += arguments.overrides
    data = arguments.data
    recipe_of = lambda extra: yaml.safe_load(lockstep_lines(
        arguments, "config", "--config-file", arguments.config_file, "--dump", "full", *overrides, *extra))
    recipe = recipe_of([])
    batch = recipe["SOLVER"]["IMS_PER_BATCH"]
    if not data:
        width, height = recipe["INPUT"]["MAX_SIZE_TRAIN"], recipe["INPUT"]["MIN_SIZE_TRAIN"][0]
        data = write_noise_dataset(folder, BATCHES * batch, width, height)
    classes = class_count(data)
    overrides += ["DATASETS.TRAIN", data, "DATASETS.TEST", "[]", "MODEL.ROI_HEADS.NUM_CLASSES", str(classes)]
    recipe = recipe_of([])

    torch.manual_seed(0)
    detector = build_detector(recipe, classes)
    report = {"recipe": arguments.config_file + (" with ResNet-50" if arguments.model == "r50" else ""),
              "data": arguments.data or "noise", "images_per_step": batch, "rounds": arguments.rounds,
              "steps": arguments.steps, "torch": torch.__version__, "torchvision": torchvision.__version__,
              "blas": blas_library(), "gemm_gflops": gflops, "torchvision_values": trained_values(detector),
              "lockstep_values": lockstep_values(lockstep_lines(
                  arguments, "net", "--part", "init", "--config-file", arguments.config_file, *overrides)),
              "differences": differences(recipe), "load_before": os.getloadavg()[0]}
    surplus = report["torchvision_values"] - report["lockstep_values"]
    if surplus != expected_surplus(recipe):
        print(f"compare: the models differ: {report['lockstep_values']} trained values in lockstep, "
              f"{report['torchvision_values']} in torchvision; {expected_surplus(recipe)} more were expected (the "
              "boxes of the background class)", file=sys.stderr)
        return 1
    step = TrainingStep(detector, load_batches(data, BATCHES, batch, recipe["INPUT"]), recipe["SOLVER"])
    report["results"] = measure(arguments, overrides, recipe, step)
    report["load_after"] = os.getloadavg()[0]
    print(json.dumps(report)) if arguments.json else print_table(report)
    return 0


def main(argv):
    arguments = parse(argv)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return run(arguments, folder)
    except ValueError as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
