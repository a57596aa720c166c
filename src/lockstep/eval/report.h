// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// The names of CocoStats::values: "AP", "AP50", ..., "ARl".
const std::array<std::string_view, 12>& coco_stat_names();

// The twelve lines as pycocotools prints them, with "n/a (0 GT)" for undefined ones, a table of AP per category, and
// notes on what bounds the numbers: categories without ground truth, images with more boxes than the limit.
std::string coco_table(const CocoStats& stats);

// One JSON object on one line: the twelve names, counts and "categories"; null for undefined, numbers in full.
std::string coco_stats_json(const CocoStats& stats);

}  // namespace lockstep
