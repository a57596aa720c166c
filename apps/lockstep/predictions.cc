// SPDX-License-Identifier: Apache-2.0
#include "predictions.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/eval/coco_eval.h"
#include "lockstep/eval/coco_json.h"

namespace lockstep::app {
namespace fs = std::filesystem;
namespace {

const Category& category_of(const DetectedObject& object, const std::vector<Category>& categories) {
  return categories.at(static_cast<std::size_t>(object.class_index));
}

bool is_picture(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".jpg" || extension == ".jpeg" || extension == ".png" || extension == ".webp" ||
         extension == ".tif" || extension == ".tiff";
}

}  // namespace

std::string prediction_text(const Prediction& prediction, const std::vector<Category>& categories) {
  std::string text = fmt::format("{}: {} objects\n", prediction.path, prediction.objects.size());
  for (const DetectedObject& object : prediction.objects) {
    text += fmt::format("  {:<16} {:.3f}  x {:.1f}  y {:.1f}  width {:.1f}  height {:.1f}\n",
                        category_of(object, categories).name, object.score, object.x1, object.y1, object.x2 - object.x1,
                        object.y2 - object.y1);
  }
  return text;
}

std::string prediction_json_line(const Prediction& prediction, const std::vector<Category>& categories) {
  std::string objects;
  for (const DetectedObject& object : prediction.objects) {
    const Category& category = category_of(object, categories);
    objects += fmt::format("{}{{\"category_id\": {}, \"category\": {}, \"score\": {}, \"bbox\": [{}, {}, {}, {}]}}",
                           objects.empty() ? "" : ", ", category.id, json_quote(category.name), object.score, object.x1,
                           object.y1, object.x2 - object.x1, object.y2 - object.y1);
  }
  return fmt::format("{{\"image\": {}, \"width\": {}, \"height\": {}, \"detections\": [{}]}}\n",
                     json_quote(prediction.path), prediction.width, prediction.height, objects);
}

std::string predictions_coco_json(const std::vector<Prediction>& predictions, const std::vector<Category>& categories) {
  std::vector<Detection> detections;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (const DetectedObject& object : predictions[i].objects) {
      detections.push_back({static_cast<std::int64_t>(i) + 1, category_of(object, categories).id, object.x1, object.y1,
                            object.x2 - object.x1, object.y2 - object.y1, object.score});
    }
  }
  return coco_results_json(detections);
}

std::vector<std::string> picture_files(const std::vector<std::string>& files_and_folders) {
  std::vector<std::string> files;
  for (const std::string& given : files_and_folders) {
    LS_CHECK(kData, fs::exists(given), "{} does not exist; wanted a picture or a folder of pictures", given);
    if (!fs::is_directory(given)) {
      files.push_back(given);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(given)) {
      if (is_picture(entry.path())) inside.push_back(entry.path().string());
    }
    LS_CHECK(kData, !inside.empty(), "the folder {} holds no .jpg, .jpeg, .png, .webp or .tiff file", given);
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

}  // namespace lockstep::app
