// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lockstep/collective/process_group.h"
#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"
#include "lockstep/engine/detector.h"
#include "lockstep/engine/trainer.h"
#include "lockstep/eval/coco_eval.h"

namespace lockstep {

// The ground truth of a data set as COCO evaluation wants it.
EvalGroundTruth evaluation_ground_truth(const Dataset& dataset);

// Detections by image (detect_all) as COCO results, in the order of the data set's images.
std::vector<Detection> coco_detections(const Dataset& dataset,
                                       const std::vector<std::vector<DetectedObject>>& detections);

// Detections of all images with the workers of all processes of `group`, each taking a contiguous share; the same on
// every rank.
std::vector<std::vector<DetectedObject>> detect_all(const Config& config,
                                                    const std::map<std::string, const Tensor*>& parameters,
                                                    const Dataset& dataset, int workers, int threads,
                                                    ProcessGroup& group);

// Evaluates detections by image.
EvalReport evaluate_detections(const Dataset& dataset, const std::vector<std::vector<DetectedObject>>& detections);

// Detects in every image of `dataset` with `workers` threads and evaluates: the same figures for every number of
// workers.
EvalReport evaluate_dataset(const Config& config, const std::map<std::string, const Tensor*>& parameters,
                            const Dataset& dataset, int workers, int threads,
                            const std::function<void(std::size_t done)>& on_image = {});

}  // namespace lockstep
