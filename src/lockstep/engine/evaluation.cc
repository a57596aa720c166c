// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/evaluation.h"

#include <algorithm>
#include <set>

#include "lockstep/base/error.h"
#include "lockstep/base/log.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/engine/process_exchange.h"
#include "lockstep/eval/coco_json.h"
#include "lockstep/eval/postprocess.h"
#include "lockstep/eval/report.h"

namespace lockstep {

namespace {

// Adds a COCO file as it stands; nothing, with a warning, when it cannot be.
void add_file(const std::string& path, std::map<std::string, std::int64_t>& id_of, EvalGroundTruth& truth) {
  EvalGroundTruth file;
  try {
    file = read_coco_ground_truth(path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    log_warning("eval", "evaluation takes the boxes of {} as training reads them, because {}", path, error.message());
    return;
  }
  std::map<std::int64_t, std::int64_t> new_id;
  for (const EvalCategory& category : file.categories) {
    const auto [known, fresh] = id_of.emplace(category.name, category.id);
    if (fresh) {  // only boxes that training leaves out are of such a class
      for (const EvalCategory& one : truth.categories) known->second = std::max(known->second, one.id + 1);
      truth.categories.push_back({known->second, category.name});
    }
    new_id[category.id] = known->second;
  }
  truth.image_ids.insert(truth.image_ids.end(), file.image_ids.begin(), file.image_ids.end());
  for (EvalAnnotation annotation : file.annotations) {
    const auto category = new_id.find(annotation.category_id);
    if (category == new_id.end()) continue;  // reading the data set has refused it
    annotation.category_id = category->second;
    truth.annotations.push_back(annotation);
  }
}

void add_image(const ImageRecord& image, const std::vector<Category>& categories, EvalGroundTruth& truth) {
  truth.image_ids.push_back(image.id);
  for (const GroundTruthBox& box : image.boxes) {
    EvalAnnotation& annotation = truth.annotations.emplace_back();
    annotation.id = static_cast<std::int64_t>(truth.annotations.size());
    annotation.image_id = image.id;
    annotation.category_id = categories[static_cast<std::size_t>(box.class_index)].id;
    annotation.x = box.x1;
    annotation.y = box.y1;
    annotation.w = static_cast<double>(box.x2) - box.x1;
    annotation.h = static_cast<double>(box.y2) - box.y1;
    annotation.area = box.area;
    annotation.crowd = box.crowd;
  }
}

// Ids of annotations need not be unique over several files, and 0 means "no match".
void renumber_where_ids_repeat(std::vector<EvalAnnotation>& annotations) {
  std::set<std::int64_t> seen;
  const bool unique = std::all_of(annotations.begin(), annotations.end(),
                                  [&](const EvalAnnotation& one) { return seen.insert(one.id).second; });
  if (unique) return;
  std::int64_t id = 0;
  for (EvalAnnotation& annotation : annotations) annotation.id = ++id;
}

}  // namespace

EvalGroundTruth evaluation_ground_truth(const DatasetsConfig& names, const Dataset& dataset) {
  EvalGroundTruth truth;
  std::map<std::string, std::int64_t> id_of;
  for (const Category& category : dataset.categories) {
    truth.categories.push_back({category.id, category.name});
    id_of.emplace(category.name, category.id);
  }
  for (const std::string& text : names.test) {
    const DataLocation location = locate_data(text, names.catalog, DataSplit::kTest);
    if (location.format == DataFormat::kCoco) add_file(location.annotations, id_of, truth);
  }
  const std::set<std::int64_t> known(truth.image_ids.begin(), truth.image_ids.end());
  for (const ImageRecord& image : dataset.images) {
    if (!known.contains(image.id)) add_image(image, dataset.categories, truth);
  }
  renumber_where_ids_repeat(truth.annotations);
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

EvalReport evaluate_detections(const Dataset& dataset, const EvalGroundTruth& truth,
                               const std::vector<std::vector<DetectedObject>>& detections) {
  const CocoStats stats = evaluate_boxes(truth, coco_detections(dataset, detections));
  EvalReport report;
  report.stats.assign(stats.values.begin(), stats.values.end());
  report.table = coco_table(stats);
  return report;
}

}  // namespace lockstep
