// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lockstep/data/image.h"

namespace lockstep {

// The EXIF orientation (1..8) that a picture file states: in the first APP1 segment of a JPEG file that holds EXIF, in
// the eXIf chunk of a PNG file, in the EXIF chunk of a WebP file that announces it, in the first directory of a TIFF
// file. 1 when there is none or it is damaged.
int read_exif_orientation(std::span<const std::uint8_t> bytes);

// The orientation tag of a TIFF structure, which is what EXIF data are; 1 as above.
int read_tiff_orientation(std::span<const std::uint8_t> tiff);

// The picture turned upright as EXIF orientation 1..8 says (Pillow's exif_transpose).
Image apply_orientation(const Image& image, int orientation);

// Decides per file whether the annotator saw the picture turned: the orientation is applied unless the
// annotated size equals the stored size only. annotated = {0, 0} means unknown: apply, as Detectron2 does.
// Throws kData naming both sizes when neither fits.
bool should_apply_orientation(ImageSize stored, int orientation, ImageSize annotated, const std::string& path);

}  // namespace lockstep
