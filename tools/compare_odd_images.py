#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes the corpus of odd pictures with Pillow and compares it with what Lockstep decodes.

    LOCKSTEP_WRITE_ODD_IMAGES=DIR build/bin/data_test --gtest_filter='OddImages.AreWrittenOnRequest'
    tools/compare_odd_images.py DIR

Run with the distribution's python3 (python3-pil). A line for every picture that differs by more than 1 in a
channel, with the largest difference, or that Pillow does not read; then the counts. docs/data.md says where Lockstep
means to differ. Exit code 2 when DIR is no such folder.
"""
import pathlib
import sys
import warnings

from PIL import Image, ImageChops, ImageOps

TOLERANCE = 1


def decode(path):
    """The picture turned as EXIF says, in three channels. Pillow turns TIFF files itself, while it loads them."""
    image = Image.open(path)
    image.load()
    return (image if image.format == "TIFF" else ImageOps.exif_transpose(image)).convert("RGB")


def largest_difference(a, b):
    return max(high for _, high in ImageChops.difference(a, b).getextrema())


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else "")
    ours = sorted((folder / "decoded").glob("*.png"))
    if not ours:
        print(__doc__, file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    counts = {"equal": 0, "other": 0, "unread": 0}
    for png in ours:
        name = png.stem
        with Image.open(png) as image:
            wanted = image.convert("RGB")
        try:
            decoded = decode(folder / "files" / name)
        except Exception as error:  # whatever Pillow raises is its answer
            print(f"{name}: Pillow does not read it ({type(error).__name__}: {error})")
            counts["unread"] += 1
            continue
        if decoded.size != wanted.size:
            print(f"{name}: {decoded.size} instead of {wanted.size}")
            counts["other"] += 1
            continue
        difference = largest_difference(decoded, wanted)
        if difference > TOLERANCE:
            print(f"{name}: differs by up to {difference}")
        counts["other" if difference > TOLERANCE else "equal"] += 1
    print(f"{len(ours)} pictures: {counts['equal']} equal within {TOLERANCE}, {counts['other']} other, "
          f"{counts['unread']} not read by Pillow")
    return 0


if __name__ == "__main__":
    sys.exit(main())
