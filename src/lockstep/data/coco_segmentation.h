// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

namespace simdjson::dom {
class element;
}  // namespace simdjson::dom

namespace lockstep {

// The box [x, y, width, height] around a COCO segmentation: a list of polygons, one flat polygon, or an RLE mask
// ({"size": [h, w], "counts": list or compressed text}). Nothing when there is no area to enclose.
std::optional<std::array<double, 4>> segmentation_box(const simdjson::dom::element& segmentation);

// True when mask losses could use it: RLE, or polygons of three points and more with pairs of coordinates.
bool is_usable_segmentation(const simdjson::dom::element& segmentation);

}  // namespace lockstep
