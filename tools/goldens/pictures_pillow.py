#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/pictures_pillow.txt: WebP and TIFF files that Pillow wrote, and what Pillow reads from them.

Each line: name, width, height, the file in hex, its pixels as red, green, blue in hex.
Run with the distribution's python3 (python3-pil).
"""
import io
import pathlib

from PIL import Image

WIDTH, HEIGHT = 16, 11


def smooth():
    """Colours that change slowly, with transparency from left to right."""
    values = bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            values += bytes((40 + 12 * x, 230 - 15 * y, (90 + 5 * x + 3 * y) % 256, x * 255 // (WIDTH - 1)))
    return Image.frombytes("RGBA", (WIDTH, HEIGHT), bytes(values))


def files():
    rgba = smooth()
    rgb = rgba.convert("RGB")
    for name, image in (("rgb", rgb), ("rgba", rgba)):
        yield f"webp_{name}_lossy", image, "WEBP", {"quality": 70}
        yield f"webp_{name}_lossless", image, "WEBP", {"lossless": True, "exact": True}
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK"):
        image = rgba if mode == "RGBA" else rgba.convert(mode) if mode == "LA" else rgb.convert(mode)
        yield f"tiff_{mode}", image, "TIFF", {}
        yield f"tiff_{mode}_lzw", image, "TIFF", {"compression": "tiff_lzw"}
    for compression in ("packbits", "tiff_adobe_deflate", "jpeg"):
        yield f"tiff_RGB_{compression}", rgb, "TIFF", {"compression": compression}
    yield "tiff_YCbCr_jpeg", rgb.convert("YCbCr"), "TIFF", {"compression": "jpeg"}
    for compression in ("group3", "group4"):
        yield f"tiff_1_{compression}", rgb.convert("1"), "TIFF", {"compression": compression}


def main():
    lines = []
    for name, image, kind, options in files():
        buffer = io.BytesIO()
        image.save(buffer, kind, **options)
        buffer.seek(0)
        pixels = Image.open(buffer).convert("RGB").tobytes()
        lines.append(f"{name} {WIDTH} {HEIGHT} {buffer.getvalue().hex()} {pixels.hex()}\n")
    target = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "pictures_pillow.txt"
    target.write_text("".join(lines))


if __name__ == "__main__":
    main()
