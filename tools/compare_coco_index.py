#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times reading a large COCO file beside Python's json with the index that pycocotools builds.

    tools/compare_coco_index.py PROGRAM [--images 118000] [--boxes 860000] [--folder DIR] [--rounds 3]

Makes a file of that size first (polygons as in COCO, about 420 MB at the default), unless the folder holds it. The two
readers take turns, and the median times count. Exit codes: 0 done, 1 a reader failed.
"""
import argparse
import collections
import gc
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time


def write_file(path, images, boxes):
    """COCO-like records: 80 categories, polygons of about 20 points."""
    numbers = random.Random(3)
    with open(path, "w", encoding="ascii") as out:
        out.write('{"info": {}, "licenses": [], "images": [')
        for i in range(images):
            out.write(("," if i else "") + json.dumps({
                "license": 1, "file_name": f"{i:012d}.jpg", "coco_url": f"http://images.example/train/{i:012d}.jpg",
                "height": 480, "width": 640, "date_captured": "2013-11-14 11:18:45", "id": i}))
        out.write('], "annotations": [')
        for i in range(boxes):
            x, y = numbers.uniform(0, 500), numbers.uniform(0, 380)
            w, h = numbers.uniform(4, 130), numbers.uniform(4, 95)
            polygon = [round(v, 2) for _ in range(20) for v in (x + w * numbers.random(), y + h * numbers.random())]
            out.write(("," if i else "") + json.dumps({
                "segmentation": [polygon], "area": round(w * h, 2), "iscrowd": 0, "image_id": numbers.randrange(images),
                "bbox": [round(x, 2), round(y, 2), round(w, 2), round(h, 2)], "category_id": 1 + i % 80, "id": i + 1}))
        categories = [{"supercategory": "thing", "id": k, "name": f"class {k}"} for k in range(1, 81)]
        out.write('], "categories": ' + json.dumps(categories) + "}")


def python_seconds(path):
    """What COCO(path) of pycocotools does: json.load, then the four dictionaries of createIndex."""
    gc.collect()
    start = time.perf_counter()
    with open(path, encoding="utf-8") as source:
        data = json.load(source)
    annotations, categories, images = {}, {}, {}
    of_image, images_of = collections.defaultdict(list), collections.defaultdict(list)
    for one in data["annotations"]:
        of_image[one["image_id"]].append(one)
        annotations[one["id"]] = one
    for one in data["images"]:
        images[one["id"]] = one
    for one in data["categories"]:
        categories[one["id"]] = one
    for one in data["annotations"]:
        images_of[one["category_id"]].append(one["image_id"])
    return time.perf_counter() - start


def program_figures(program, path):
    command = [program, "bench", "data", f"coco:{path}:{path.parent}", "--repeats", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--images", type=int, default=118000)
    parser.add_argument("--boxes", type=int, default=860000)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="lockstep_coco_"))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"coco_{options.images}_{options.boxes}.json"
    if not path.exists():
        print(f"writing {path}", file=sys.stderr)
        write_file(path, options.images, options.boxes)
    ours, theirs = [], []
    for _ in range(options.rounds):
        figures = program_figures(options.program, path)
        ours.append(figures["seconds"])
        theirs.append(python_seconds(path))
    here, there = statistics.median(ours), statistics.median(theirs)
    per_image = (figures["bytes"] - 40 * figures["boxes"]) / figures["images"]
    print(f"{path.stat().st_size / 1e6:.0f} MB: Lockstep {here:.2f} s, Python {there:.2f} s, ratio {there / here:.1f}")
    print(f"held {figures['bytes'] / 1e6:.1f} MB (40 bytes a box, {per_image:.0f} an image), "
          f"peak {figures['peak_bytes'] / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
