// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// Reads images, categories and boxes of a COCO annotation file. An annotation without `area` gets w * h (said once as
// a warning), one without `iscrowd` is no crowd. Throws kData, naming file and record, for what is missing or of
// another type, kIo where the system refuses to read.
EvalGroundTruth read_coco_ground_truth(const std::filesystem::path& path);

// Reads a COCO results file: a list of {image_id, category_id, bbox, score}. Throws as above. Whether the ids belong
// to a ground truth is evaluate_boxes' question.
std::vector<Detection> read_coco_results(const std::filesystem::path& path);

// The detections as a COCO results file, one record per line, every number as its shortest decimal that reads back
// as the same double: the same detections give the same bytes. Throws kNumeric for a value that is not finite.
std::string coco_results_json(const std::vector<Detection>& detections);

}  // namespace lockstep
