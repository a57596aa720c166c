// SPDX-License-Identifier: Apache-2.0
#include "data/odd_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "data/odd_cases.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  write_file(path.string(), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string coco(const std::string& categories, const std::string& images, const std::string& annotations) {
  return fmt::format(R"({{"categories": [{}], "images": [{}], "annotations": [{}]}})", categories, images, annotations);
}

constexpr const char* kCategory = R"({"id": 1, "name": "cat"})";
constexpr const char* kImage = R"({"id": 1, "file_name": "a.jpg", "width": 100, "height": 50})";
constexpr const char* kAnnotation =
    R"({"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "area": 400, "iscrowd": 0})";

std::string coco_text(const OddCase& odd) {
  switch (odd.format) {
    case OddFormat::kCocoAnnotation: return coco(kCategory, kImage, odd.text);
    case OddFormat::kCocoImage: return coco(kCategory, odd.text, kAnnotation);
    case OddFormat::kCocoCategory: return coco(odd.text, kImage, kAnnotation);
    default: return odd.text;
  }
}

}  // namespace

void PrintTo(const OddCase& odd, std::ostream* out) { *out << odd.name << ": " << odd.text; }

const std::vector<OddCase>& odd_cases() {
  static const std::vector<OddCase> kAll = [] {
    std::vector<OddCase> all;
    for (const auto* part : {&odd_annotations(), &odd_coco_files(), &odd_voc_files(), &odd_yolo_files()}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }();
  return kAll;
}

std::string write_odd_case(const OddCase& odd, const std::string& folder) {
  const fs::path root(folder);
  fs::create_directories(root / "images");
  write_file((root / "images" / "a.jpg").string(), encode_jpeg(Image(100, 50), 90));
  switch (odd.format) {
    case OddFormat::kVoc: write(root / "images" / "a.xml", odd.text); return "voc:" + (root / "images").string();
    case OddFormat::kVocObject:
      write(root / "images" / "a.xml",
            "<annotation><size><width>100</width><height>50</height></size>" + odd.text + "</annotation>");
      return "voc:" + (root / "images").string();
    case OddFormat::kYolo:
      write(root / "data.yaml", "train: images\nnames: [cat, dog]\n");
      write(root / "labels" / "a.txt", odd.text);
      return "yolo:" + (root / "data.yaml").string();
    case OddFormat::kYoloYaml:
      write(root / "data.yaml", odd.text);
      write(root / "labels" / "a.txt", "0 0.5 0.5 0.2 0.2\n");
      return "yolo:" + (root / "data.yaml").string();
    default:
      write(root / "set.json", coco_text(odd));
      return fmt::format("coco:{}:{}", (root / "set.json").string(), (root / "images").string());
  }
}

}  // namespace lockstep
