# SPDX-License-Identifier: Apache-2.0
"""Batches for torchvision from a COCO data set, and a data set of noise where none is given."""
import json
import pathlib

import numpy as np
import torch
from PIL import Image

MEAN, STD = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])  # of ImageNet, as torchvision's detectors use them


def write_noise_dataset(folder, images, width, height, classes=3, boxes=12, seed=0):
    """Noise with random boxes: the same work for both trainers, nothing to learn. Returns `coco:JSON:DIR`."""
    folder = pathlib.Path(folder)
    rng = np.random.default_rng(seed)
    coco = {"images": [], "annotations": [], "categories": [{"id": c + 1, "name": f"c{c}"} for c in range(classes)]}
    for k in range(images):
        name = f"{k:04}.png"
        Image.fromarray(rng.integers(0, 256, (height, width, 3), dtype=np.uint8)).save(folder / name, compress_level=1)
        coco["images"].append({"id": k + 1, "file_name": name, "width": width, "height": height})
        for _ in range(boxes):
            w, h = (float(rng.uniform(0.05, 0.4) * side) for side in (width, height))
            x, y = float(rng.uniform(0, width - w)), float(rng.uniform(0, height - h))
            coco["annotations"].append({"id": len(coco["annotations"]) + 1, "image_id": k + 1, "iscrowd": 0,
                                        "category_id": int(rng.integers(1, classes + 1)), "bbox": [x, y, w, h],
                                        "area": w * h})
    path = folder / "noise.json"
    path.write_text(json.dumps(coco))
    return f"coco:{path}:{folder}"


def split_spec(spec):
    """`coco:JSON:DIR` -> (JSON, DIR)."""
    parts = spec.split(":")
    if len(parts) != 3 or parts[0] != "coco":
        raise ValueError(f"--data is '{spec}'; wanted coco:FILE.json:IMAGE_DIR")
    return pathlib.Path(parts[1]), pathlib.Path(parts[2])


def class_count(spec):
    return len(json.loads(split_spec(spec)[0].read_text())["categories"])


def load_batches(spec, count, size, recipe_input):
    """The first count * size images with boxes, decoded, resized (shortest edge, bounded) and normalised: before any
    clock runs."""
    path, folder = split_spec(spec)
    coco = json.loads(path.read_text())
    labels = {c["id"]: k + 1 for k, c in enumerate(coco["categories"])}
    boxes = {}
    for a in coco["annotations"]:
        if not a.get("iscrowd", 0) and min(a["bbox"][2:]) > 0:
            boxes.setdefault(a["image_id"], []).append(a)
    chosen = [i for i in coco["images"] if i["id"] in boxes][:count * size]
    if not chosen:
        raise ValueError(f"{path} has no image with boxes")
    samples = []
    for record in chosen:
        image = Image.open(folder / record["file_name"]).convert("RGB")
        shortest, longest = recipe_input["MIN_SIZE_TRAIN"][0], recipe_input["MAX_SIZE_TRAIN"]
        scale = min(shortest / min(image.size), longest / max(image.size))
        image = image.resize([round(side * scale) for side in image.size], Image.BILINEAR)
        corners = [[x, y, x + w, y + h] for x, y, w, h in (a["bbox"] for a in boxes[record["id"]])]
        normalised = (np.array(image, dtype=np.float32) / 255 - np.float32(MEAN)) / np.float32(STD)
        pixels = torch.from_numpy(normalised).permute(2, 0, 1).contiguous()
        samples.append((pixels, {"boxes": torch.tensor(corners) * scale,
                                 "labels": torch.tensor([labels[a["category_id"]] for a in boxes[record["id"]]])}))
    batches = []
    for k in range(count):
        batch = [samples[(k * size + i) % len(samples)] for i in range(size)]
        batches.append(([image for image, _ in batch], [target for _, target in batch]))
    return batches
