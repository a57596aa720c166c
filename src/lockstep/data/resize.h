// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/data/image.h"

namespace lockstep {

// Bilinear resize with antialiasing, the same 8-bit arithmetic as Pillow's Image.resize(BILINEAR):
// horizontal pass first, 22-bit coefficients, rounding after each pass.
Image resize_image(const Image& image, ImageSize to);

// Detectron2's ResizeShortestEdge: the shorter edge becomes `shortest_edge` unless the longer would pass
// `max_size`. shortest_edge = 0 keeps the size. No side becomes 0.
ImageSize shortest_edge_size(ImageSize size, int shortest_edge, int max_size);

}  // namespace lockstep
