#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the known answers of RoIAlign that tests/ops/roi_align_golden_test.cc reads, by torchvision's operator
(python3-torchvision), in the format of make_detection_goldens.py.

    tools/goldens/make_roi_align_golden.py [--out tests/ops/data]
"""
import argparse
import pathlib

import numpy as np
import torch
import torchvision

from make_detection_goldens import write

# Random regions, then: beyond every border, outside, thinner than a pixel, empty, reversed, the whole image.
EDGES = [[0, -20, -12, 9, 8], [1, 70, 50, 99, 81], [0, 200, 200, 240, 230], [1, 30.2, 5, 30.9, 60], [0, 8.4, 8.4, 8.4, 8.4],
         [1, 50, 40, 20, 10], [0, 0, 0, 80, 64]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="tests/ops/data")
    args = parser.parse_args()
    rng = np.random.default_rng(11)
    corner = rng.uniform([0, 0], [60, 48], (9, 2))
    size = rng.uniform(2, 40, (9, 2))
    random_rois = np.concatenate([rng.integers(0, 2, (9, 1)), corner, corner + size], 1)
    rois = torch.tensor(np.concatenate([random_rois, np.array(EDGES)]).astype(np.float32))
    features = torch.tensor(rng.normal(size=(2, 3, 16, 20)).astype(np.float32))
    dy = torch.tensor(rng.normal(size=(len(rois), 3, 3, 3)).astype(np.float32))
    tensors = {"rois": rois, "features": features, "dy": dy}
    for name, aligned, ratio in [("aligned", True, 0), ("unaligned", False, 0), ("two_samples", True, 2)]:
        leaf = features.clone().requires_grad_()
        pooled = torchvision.ops.roi_align(leaf, rois, 3, 0.25, ratio, aligned)
        pooled.backward(dy)
        tensors[name + ".pooled"] = pooled.detach()
        tensors[name + ".gradient"] = leaf.grad
    write(pathlib.Path(args.out) / "roi_align.txt", tensors)


if __name__ == "__main__":
    main()
