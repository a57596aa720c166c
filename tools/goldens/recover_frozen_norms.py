#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recovers the frozen normalisations that the R18-FPN golden of Detectron2 lacks.

Its model file has running_mean and running_var of every FrozenBatchNorm2d, but neither weight nor bias, which are
not 1 and 0 there. The feature maps of its two images stand in the case file, and all else in the network is known:
an output convolution of the pyramid can be undone, so that the input of the top-down path of each level is known, and
the stages can be fitted one after another, from the stem up, to the feature map of their level. That is 24,576
equations for the 80 unknowns of stem and res2, 6,144 for the 160 of res3 and 1,536 for the 320 of res4. (res5 has 640
unknowns and 384 equations: it stays unknown, and the input of the top-down path of level 5 is written instead.)

Only feature maps are used. The losses and gradients of the case file are held out: detectron2_golden_test.cc compares
them. tests/engine/data/faster_rcnn_r18_fpn_norms.safetensors was made with a START: an earlier run of these fits, which
had searched 4 guesses for res3 and used the gradients of the lateral convolutions as further equations (those of the
output convolutions and the losses never). A channel that is zero at all positions of both images keeps its first
guess, which no result can show.

usage: recover_frozen_norms.py GOLDEN_DIR OUT.safetensors [START.safetensors]
    Needs python3-torch and python3-numpy; a few minutes. START is an earlier answer to go on from.
"""
import json
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

# From a strong pull towards plausible values to almost none.
FROM_NOTHING = ((3.0, 8), (0.3, 8), (0.03, 8), (1e-3, 10), (1e-9, 30))
FROM_AN_ANSWER = ((1e-9, 30),)
BOTTOM_UP = "backbone.bottom_up."
EPSILON = 1e-5
TYPES = {"F32": np.float32, "U8": np.uint8, "I64": np.int64, "I8": np.int8}


def load(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        values = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.copy()).double()
    return tensors


def save(path, tensors):
    header, body = {}, b""
    for name in sorted(tensors):
        values = tensors[name].numpy().astype("<f4")
        header[name] = {
            "dtype": "F32",
            "shape": list(values.shape),
            "data_offsets": [len(body), len(body) + values.nbytes],
        }
        body += values.tobytes()
    text = json.dumps(header)
    text += " " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text.encode() + body)


class Network:
    """Detectron2's R18-FPN bottom up, for K sets of norms at once: all tensors are [K * images, C, H, W]."""

    def __init__(self, weights, images):
        self.weights = weights
        self.images = images  # [N, 3, H, W], normalised and padded
        self.offsets, self.channels = {}, 0
        for layer in self.layers("stem") + sum((self.layers(f"res{stage}") for stage in (2, 3, 4)), []):
            self.offsets[layer] = self.channels
            self.channels += len(weights[layer + ".weight"])

    def layers(self, part):
        ends = ".norm.running_mean"
        return [n[: -len(ends)] for n in self.weights if n.startswith(BOTTOM_UP + part + ".") and n.endswith(ends)]

    def unknowns(self, parts):
        """Columns of the parameter vector: all weights, then all biases."""
        columns = []
        for layer in sum((self.layers(part) for part in parts), []):
            begin = self.offsets[layer]
            columns += range(begin, begin + len(self.weights[layer + ".weight"]))
        return torch.tensor(columns + [self.channels + column for column in columns])

    def conv(self, theta, layer, x, stride, padding):
        begin, end = self.offsets[layer], self.offsets[layer] + len(self.weights[layer + ".weight"])
        weight, bias = theta[:, begin:end], theta[:, self.channels + begin : self.channels + end]
        scale = weight * torch.rsqrt(self.weights[layer + ".norm.running_var"] + EPSILON)
        shift = bias - self.weights[layer + ".norm.running_mean"] * scale
        each = len(x) // len(theta)
        scale, shift = (t.repeat_interleave(each, 0)[:, :, None, None] for t in (scale, shift))
        return F.conv2d(x, self.weights[layer + ".weight"], None, stride, padding) * scale + shift

    def stage(self, theta, x, stage):
        if stage == 2:
            x = F.max_pool2d(F.relu(self.conv(theta, BOTTOM_UP + "stem.conv1", x, 2, 3)), 3, 2, 1)
        for block in (0, 1):
            name = f"{BOTTOM_UP}res{stage}.{block}."
            stride = 2 if block == 0 and stage > 2 else 1
            y = F.relu(self.conv(theta, name + "conv1", x, stride, 1))
            y = self.conv(theta, name + "conv2", y, 1, 1)
            projected = name + "shortcut.weight" in self.weights
            x = F.relu(y + (self.conv(theta, name + "shortcut", x, stride, 0) if projected else x))
        return x

    def lateral(self, level, x):
        name = f"backbone.fpn_lateral{level}"
        return F.conv2d(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def output(self, level, x):
        name = f"backbone.fpn_output{level}"
        return F.conv2d(x, self.weights[name + ".weight"], self.weights[name + ".bias"], 1, 1)

    def undo_output(self, level, features):
        """The input of the output convolution, which maps [16, H, W] to [16, H, W] and has an inverse."""
        name = f"backbone.fpn_output{level}"
        shape = features[0].shape
        identity = torch.eye(features[0].numel(), dtype=torch.float64).view(-1, *shape)
        matrix = F.conv2d(identity, self.weights[name + ".weight"], None, 1, 1).flatten(1).T
        right = (features - self.weights[name + ".bias"][:, None, None]).flatten(1).T
        return torch.linalg.solve(matrix, right).T.reshape(features.shape)


def levenberg_marquardt(residual, theta, columns, prior, strength, iterations, difference=1e-6, batch=16):
    """Least squares over `columns` of theta, with a pull of this strength towards `prior`."""

    def cost_of(values, at):
        return (values @ values + strength * ((at - prior) ** 2).sum()).item()

    damping = 1e-2
    values = residual(theta[None])[0]
    cost = cost_of(values, theta)
    for _ in range(iterations):
        jacobian = torch.empty(len(values), len(columns), dtype=torch.float64)
        for begin in range(0, len(columns), batch):
            some = columns[begin : begin + batch]
            moved = theta.repeat(len(some), 1)
            moved[range(len(some)), some] += difference
            jacobian[:, begin : begin + len(some)] = ((residual(moved) - values) / difference).T
        normal = jacobian.T @ jacobian
        normal.diagonal().add_(strength)
        gradient = jacobian.T @ values + strength * (theta - prior)[columns]
        diagonal = normal.diagonal().clone().clamp_min(1e-10 * normal.diagonal().max())
        before = cost
        for _ in range(12):
            tried = theta.clone()
            tried[columns] -= torch.linalg.solve(normal + damping * torch.diag(diagonal), gradient)
            new_values = residual(tried[None])[0]
            if cost_of(new_values, tried) < cost:
                theta, values, cost = tried, new_values, cost_of(new_values, tried)
                damping = max(damping / 5, 1e-13)
                break
            damping *= 4
        if before - cost < 1e-3 * before:
            break
    return theta, (values @ values).item()


def fit(network, theta, stage, x, target, from_above, generator, good, schedule):
    """Several starts, each led through the schedule of (pull towards the first guess, iterations)."""
    columns = network.unknowns(["stem", "res2"] if stage == 2 else [f"res{stage}"])
    every = 5 if stage == 2 else 1  # a fifth of the equations of the largest map is plenty

    def residual(thetas):
        y = network.stage(thetas, x.repeat(len(thetas), 1, 1, 1), stage)
        features = network.output(stage, network.lateral(stage, y) + from_above.repeat(len(thetas), 1, 1, 1))
        return (features.reshape(len(thetas), -1) - target.flatten())[:, ::every]

    best = None
    for start in range(20):
        guess = theta.clone()
        if start > 0:  # another guess, or the pull would lead to the same minimum
            guess[columns] += 0.1 * torch.randn(len(columns), generator=generator, dtype=torch.float64)
        tried = guess
        for strength, iterations in schedule:
            tried, cost = levenberg_marquardt(residual, tried, columns, guess, strength, iterations)
        error = residual(tried[None]).abs().max().item()
        print(f"res{stage} start {start}: squared error {cost:.2e}, largest {error:.1e}", flush=True)
        if best is None or cost < best[0]:
            best = (cost, tried)
        if cost < good:
            break
    return best[1]


def main(folder, out, start=None):
    torch.set_num_threads(1)
    weights, case = load(folder + "/model.safetensors"), load(folder + "/case.safetensors")
    images = []
    for i in (0, 1):
        image = (case[f"in.{i}.image"] - weights["pixel_mean"]) / weights["pixel_std"]
        images.append(F.pad(image, (0, -image.shape[2] % 32, 0, -image.shape[1] % 32)))
    network = Network(weights, torch.stack(images))
    target = {n: torch.stack([case[f"infer.{i}.feature.p{n}"] for i in (0, 1)]) for n in (2, 3, 4, 5)}
    inner = {n: network.undo_output(n, target[n]) for n in (3, 4, 5)}
    theta = torch.cat([torch.full((network.channels,), 0.5), torch.zeros(network.channels)]).double()
    if start is not None:
        known = load(start)
        for layer, begin in network.offsets.items():
            end = begin + len(weights[layer + ".weight"])
            theta[begin:end] = known[layer + ".norm.weight"]
            theta[network.channels + begin : network.channels + end] = known[layer + ".norm.bias"]
    schedule = FROM_NOTHING if start is None else FROM_AN_ANSWER
    generator = torch.Generator().manual_seed(0)
    x = network.images
    for stage in (2, 3, 4):
        from_above = F.interpolate(inner[stage + 1], scale_factor=2, mode="nearest")
        theta = fit(network, theta, stage, x, target[stage], from_above, generator, 1e-5, schedule)
        x = network.stage(theta[None], x, stage)
    tensors = {"inner5": inner[5]}
    for layer, begin in network.offsets.items():
        end = begin + len(weights[layer + ".weight"])
        tensors[layer + ".norm.weight"] = theta[begin:end]
        tensors[layer + ".norm.bias"] = theta[network.channels + begin : network.channels + end]
    save(out, tensors)


if __name__ == "__main__":
    main(*sys.argv[1:])
