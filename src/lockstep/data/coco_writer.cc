// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_writer.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "lockstep/base/json_text.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

std::string name_in(const std::string& path, const std::string& image_dir) {
  if (image_dir.empty()) return fs::absolute(path).lexically_normal().string();
  return fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(image_dir).lexically_normal()).string();
}

bool image_ids_differ(const Dataset& dataset) {
  std::set<std::int64_t> ids;
  for (const ImageRecord& image : dataset.images) ids.insert(image.id);
  return ids.size() == dataset.images.size();
}

}  // namespace

std::string coco_json(const Dataset& dataset, const std::string& image_dir) {
  const bool keep_ids = image_ids_differ(dataset);
  std::string categories, images, annotations;
  for (const Category& category : dataset.categories) {
    categories += fmt::format("{}\n  {{\"id\": {}, \"name\": {}}}", categories.empty() ? "" : ",", category.id,
                              json_quote(category.name));
  }
  std::int64_t number = 0, box_number = 0;
  for (const ImageRecord& image : dataset.images) {
    ++number;
    const std::int64_t id = keep_ids ? image.id : number;
    images +=
        fmt::format("{}\n  {{\"id\": {}, \"file_name\": {}, \"width\": {}, \"height\": {}}}", images.empty() ? "" : ",",
                    id, json_quote(name_in(image.path, image_dir)), image.width, image.height);
    for (const GroundTruthBox& box : image.boxes) {
      annotations += fmt::format(
          "{}\n  {{\"id\": {}, \"image_id\": {}, \"category_id\": {}, \"bbox\": [{}, {}, {}, {}], \"area\": {}, "
          "\"iscrowd\": {}}}",
          annotations.empty() ? "" : ",", ++box_number, id,
          dataset.categories[static_cast<std::size_t>(box.class_index)].id, box.x1, box.y1,
          static_cast<double>(box.x2) - box.x1, static_cast<double>(box.y2) - box.y1, json_number(box.area),
          box.crowd ? 1 : 0);
    }
  }
  return fmt::format("{{\n\"categories\": [{}],\n\"images\": [{}],\n\"annotations\": [{}]\n}}\n", categories, images,
                     annotations);
}

}  // namespace lockstep
