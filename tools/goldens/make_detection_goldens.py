#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the known answers of the detection operators that tests/ops/detection_goldens_test.cc reads.

    tools/goldens/make_detection_goldens.py [--detectron2 CASE.safetensors] [--out tests/ops/data]

torchvision.txt holds results of torchvision's own operators (python3-torchvision) on random boxes, and of formulas
written out here in numpy (anchors, levels). detectron2.txt is written only with --detectron2: the sampled sets of a
training step of Detectron2, taken from a file of known answers.

Format, one tensor after the other: a line "name dtype sizes...", then a line with its values.
"""
import argparse
import json
import pathlib
import struct

import numpy as np
import torch
import torchvision
from torchvision.models.detection import _utils as detection_utils


def write(path, tensors):
    with open(path, "w") as out:
        for name, value in tensors.items():
            value = np.asarray(value)
            if value.dtype.kind == "f":
                text = [np.format_float_positional(x, unique=True, trim="-") for x in value.astype(np.float32).ravel()]
                dtype = "f32"
            else:
                text = [str(int(x)) for x in value.ravel()]
                dtype = "i32"
            print(name, dtype, *value.shape, file=out)
            print(*text, file=out)


def random_boxes(rng, count, height=480, width=640, largest=160):
    center = rng.uniform([0, 0], [width, height], (count, 2))
    size = rng.uniform(4, largest, (count, 2))
    boxes = np.concatenate([center - size / 2, center + size / 2], 1)
    return torch.from_numpy(boxes.clip(0, [width, height, width, height]).astype(np.float32))


def anchors(sizes, ratios, stride, offset, height, width):
    cell = []
    for size in sizes:
        for ratio in ratios:
            w = np.sqrt(size ** 2 / ratio)
            h = ratio * w
            cell.append([-w / 2, -h / 2, w / 2, h / 2])
    x = ((np.arange(width) + offset) * stride).astype(np.float32)
    y = ((np.arange(height) + offset) * stride).astype(np.float32)
    shift_y, shift_x = np.meshgrid(y, x, indexing="ij")
    shifts = np.stack([shift_x.ravel(), shift_y.ravel(), shift_x.ravel(), shift_y.ravel()], 1)
    return (shifts[:, None] + np.array(cell, np.float32)[None]).reshape(-1, 4)


def torchvision_goldens():
    rng = np.random.default_rng(7)
    tensors = {}
    boxes = random_boxes(rng, 300, 90, 120, 80)
    scores = torch.from_numpy(rng.permutation(300).astype(np.float32) / 300)
    tensors["nms.boxes"], tensors["nms.scores"] = boxes, scores
    for threshold in (0.3, 0.5, 0.7):
        tensors[f"nms.kept.{threshold}"] = torchvision.ops.nms(boxes, scores, threshold)
    # The form without shifted coordinates, which Lockstep uses; the classes are suppressed one by one.
    groups = torch.from_numpy(rng.integers(0, 3, 300))
    kept = torch.cat([torch.where(groups == g)[0][torchvision.ops.nms(boxes[groups == g], scores[groups == g], 0.5)]
                      for g in range(3)])
    tensors["nms.groups"] = groups
    tensors["nms.kept.grouped"] = kept[scores[kept].argsort(descending=True)]

    a, b = random_boxes(rng, 20), random_boxes(rng, 15)
    tensors["iou.a"], tensors["iou.b"], tensors["iou.matrix"] = a, b, torchvision.ops.box_iou(a, b)

    source, target = random_boxes(rng, 50), random_boxes(rng, 50)
    deltas = torch.from_numpy(rng.uniform(-3, 3, (50, 4)).astype(np.float32))
    deltas[:3, 2:] = 40  # beyond the clamp of the sizes
    coder = detection_utils.BoxCoder((10.0, 10.0, 5.0, 5.0))
    tensors["coder.source"], tensors["coder.target"], tensors["coder.deltas"] = source, target, deltas
    tensors["coder.encoded"] = coder.encode([target], [source])[0]
    tensors["coder.decoded"] = coder.decode(deltas, [source]).reshape(-1, 4)

    candidates, truth = random_boxes(rng, 1300), random_boxes(rng, 9)
    quality = torchvision.ops.box_iou(truth, candidates)
    tensors["matcher.candidates"], tensors["matcher.truth"] = candidates, truth
    for low_quality in (False, True):
        found = detection_utils.Matcher(0.5, 0.3, allow_low_quality_matches=low_quality)(quality)
        labels = torch.where(found >= 0, 1, torch.where(found == detection_utils.Matcher.BELOW_LOW_THRESHOLD, 0, -1))
        tensors[f"matcher.labels.{int(low_quality)}"] = labels
    tensors["matcher.assigned"] = quality.max(0)[1]

    tensors["anchors"] = anchors((32, 45.3), (0.5, 1, 2), 8, 0.5, 3, 4)
    rois = random_boxes(rng, 100, 800, 1200, 900)
    area = (rois[:, 2] - rois[:, 0]) * (rois[:, 3] - rois[:, 1])
    tensors["levels.boxes"] = rois
    tensors["levels"] = torch.floor(4 + torch.log2(area.sqrt() / 224 + 1e-8)).clamp(2, 5).int()
    return tensors


def read_safetensors(path):
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    types = {"F32": "<f4", "I64": "<i8", "I8": "i1", "U8": "u1"}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + x for x in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def detectron2_goldens(path):
    case = read_safetensors(path)
    tensors = {}
    for i in (0, 1):
        labels = case[f"train.{i}.rpn_labels"]
        sampled = np.where(labels >= 0)[0]
        objects = np.where(labels == 1)[0]
        tensors[f"{i}.gt_boxes"] = case[f"in.{i}.gt_boxes"]
        tensors[f"{i}.gt_classes"] = case[f"in.{i}.gt_classes"]
        tensors[f"{i}.rpn_sampled"] = sampled
        tensors[f"{i}.rpn_labels"] = labels[sampled]
        tensors[f"{i}.rpn_objects"] = objects
        tensors[f"{i}.rpn_matched_gt"] = case[f"train.{i}.rpn_matched_gt"][objects]
        tensors[f"{i}.rois"] = case[f"train.{i}.rois"]
        tensors[f"{i}.roi_classes"] = case[f"train.{i}.roi_classes"]
        tensors[f"{i}.roi_gt_boxes"] = case[f"train.{i}.roi_gt_boxes"]
    return tensors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--detectron2")
    parser.add_argument("--out", default=pathlib.Path(__file__).parents[2] / "tests/ops/data", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out / "torchvision.txt", torchvision_goldens())
    if options.detectron2:
        write(options.out / "detectron2.txt", detectron2_goldens(options.detectron2))


if __name__ == "__main__":
    main()
