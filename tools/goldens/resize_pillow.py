#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/resize_pillow.txt: what Pillow's bilinear resize makes of generated pixels.

Each line: input width and height, output width and height, start of the generator, output bytes in hex.
Run with the distribution's python3 (python3-pil).
"""
import pathlib

from PIL import Image

CASES = [(17, 13, 9, 7), (31, 20, 45, 33), (64, 48, 20, 15), (1, 50, 3, 10), (9, 5, 9, 11), (9, 5, 14, 5), (40, 30, 3, 2),
         (33, 33, 32, 34), (100, 3, 7, 3)]


def noise(width, height, state):
    values = bytearray()
    for _ in range(width * height * 3):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append(state >> 24)
    return Image.frombytes("RGB", (width, height), bytes(values))


def main():
    lines = []
    for seed, (w, h, ow, oh) in enumerate(CASES, start=1):
        resized = noise(w, h, seed).resize((ow, oh), Image.BILINEAR)
        lines.append(f"{w} {h} {ow} {oh} {seed} {resized.tobytes().hex()}\n")
    target = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "resize_pillow.txt"
    target.write_text("".join(lines))


if __name__ == "__main__":
    main()
