// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/evaluation.h"

#include <chrono>

#include "lockstep/engine/process_exchange.h"
#include "lockstep/eval/postprocess.h"
#include "lockstep/eval/report.h"

namespace lockstep {

EvalGroundTruth evaluation_ground_truth(const Dataset& dataset) {
  EvalGroundTruth truth;
  for (const Category& category : dataset.categories) truth.categories.push_back({category.id, category.name});
  for (const ImageRecord& image : dataset.images) {
    truth.image_ids.push_back(image.id);
    for (const GroundTruthBox& box : image.boxes) {
      EvalAnnotation& annotation = truth.annotations.emplace_back();
      // Numbered anew: ids of annotations need not be unique over several data sets, and 0 means "no match".
      annotation.id = static_cast<std::int64_t>(truth.annotations.size());
      annotation.image_id = image.id;
      annotation.category_id = dataset.categories[static_cast<std::size_t>(box.class_index)].id;
      annotation.x = box.x1;
      annotation.y = box.y1;
      annotation.w = static_cast<double>(box.x2) - box.x1;
      annotation.h = static_cast<double>(box.y2) - box.y1;
      annotation.area = box.area;
      annotation.crowd = box.crowd;
    }
  }
  return truth;
}

std::vector<Detection> coco_detections(const Dataset& dataset,
                                       const std::vector<std::vector<DetectedObject>>& detections) {
  std::vector<Detection> results;
  for (std::size_t i = 0; i < detections.size(); ++i) {
    for (const DetectedObject& one : detections[i]) {
      const std::int64_t category = dataset.categories[static_cast<std::size_t>(one.class_index)].id;
      results.push_back(to_coco_detection({one.x1, one.y1, one.x2, one.y2}, one.score, dataset.images[i].id, category));
    }
  }
  return results;
}

std::vector<std::vector<DetectedObject>> detect_all(const Config& config,
                                                    const std::map<std::string, const Tensor*>& parameters,
                                                    const Dataset& dataset, int workers, int threads,
                                                    ProcessGroup& group) {
  const std::size_t images = dataset.images.size();
  const auto bound = [&](int rank) {
    return static_cast<std::ptrdiff_t>(images * static_cast<std::size_t>(rank) /
                                       static_cast<std::size_t>(group.size()));
  };
  Dataset share;
  share.categories = dataset.categories;
  share.images.assign(dataset.images.begin() + bound(group.rank()), dataset.images.begin() + bound(group.rank() + 1));
  return gather_detections(group, detect_all(config, parameters, share, workers, threads));
}

EvalReport evaluate_detections(const Dataset& dataset, const std::vector<std::vector<DetectedObject>>& detections) {
  const CocoStats stats = evaluate_boxes(evaluation_ground_truth(dataset), coco_detections(dataset, detections));
  EvalReport report;
  report.stats.assign(stats.values.begin(), stats.values.end());
  report.table = coco_table(stats);
  return report;
}

EvalReport evaluate_dataset(const Config& config, const std::map<std::string, const Tensor*>& parameters,
                            const Dataset& dataset, int workers, int threads,
                            const std::function<void(std::size_t done)>& on_image) {
  const auto start = std::chrono::steady_clock::now();
  EvalReport report = evaluate_detections(dataset, detect_all(config, parameters, dataset, workers, threads, on_image));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace lockstep
