// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "lockstep/collective/process_group.h"
#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"
#include "lockstep/engine/detector.h"
#include "lockstep/engine/trainer.h"
#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// The ground truth of DATASETS.TEST as COCO evaluation wants it: COCO files as `lockstep eval --gt` reads them, with
// the boxes and areas that they state (training clips boxes and leaves some out), other formats as the data set holds
// them. `dataset` is what was read of DATASETS.TEST, with the categories of the detections; its names pair the classes.
// Where a COCO file is read for training but not as ground truth (boxes that come from segmentations, say), its boxes
// in the data set are taken, and a warning says why.
EvalGroundTruth evaluation_ground_truth(const DatasetsConfig& names, const Dataset& dataset);

// Detections by image (detect_all) as COCO results, in the order of the data set's images.
std::vector<Detection> coco_detections(const Dataset& dataset,
                                       const std::vector<std::vector<DetectedObject>>& detections);

// Detections of all images with the workers of all processes of `group`, each taking a contiguous share; the same on
// every rank.
std::vector<std::vector<DetectedObject>> detect_all(const Config& config,
                                                    const std::map<std::string, const Tensor*>& parameters,
                                                    const Dataset& dataset, int workers, int threads,
                                                    ProcessGroup& group);

// Compares detections by image with `truth`.
EvalReport evaluate_detections(const Dataset& dataset, const EvalGroundTruth& truth,
                               const std::vector<std::vector<DetectedObject>>& detections);

}  // namespace lockstep
