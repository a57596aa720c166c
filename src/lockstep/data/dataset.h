// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct Category {
  std::int64_t id;  // as the annotation file names it
  std::string name;
};

// One object in continuous pixel coordinates of its image, as Detectron2 has it: x2 = x1 + width
// (no +1), clipped to [0, width] x [0, height], with x1 < x2 and y1 < y2.
struct GroundTruthBox {
  float x1, y1, x2, y2;
  std::int32_t class_index;  // 0-based position in Dataset::categories
  bool crowd;                // a region of many objects: neither foreground nor background
  double area;               // the file's own figure, which evaluation uses for its size classes
  std::int64_t annotation_id;
};

struct ImageRecord {
  std::int64_t id;
  std::string file_name;  // as the annotation file has it
  std::string path;       // image directory and file name
  int width, height;      // pixels, as the boxes see the image
  std::vector<GroundTruthBox> boxes;
};

struct Dataset {
  std::string name;
  std::vector<Category> categories;  // in order of id; the class index is the position
  std::vector<ImageRecord> images;   // in order of id
};

// Bytes that the data set holds, with what its texts and lists have taken from the heap.
std::int64_t memory_of(const Dataset& dataset);

// The class names in class order.
std::vector<std::string> category_names(const std::vector<Category>& categories);

// Renumbers the classes of `dataset` to those of `categories`, paired by name; the data set may have fewer of them.
// Throws kData naming both lists when a box has a class that `categories` lack, or when no name is common. `owner` says
// whose categories they are.
void map_to_categories(Dataset& dataset, const std::vector<Category>& categories, const std::string& owner);

// The images of all parts in order, with the categories of the first; the others must have the same names.
Dataset concatenate(std::vector<Dataset> parts);

// Throws kData when two images have one id: evaluation pairs detections with annotations by it.
void check_image_ids_differ(const Dataset& dataset);

// Throws kData when image files do not exist: how many, the first few with their full paths, and what to do.
void check_images_exist(const Dataset& dataset);

// Images that give nothing to learn: they have no box that is not a crowd region.
struct FilteredImages {
  std::size_t without_boxes = 0;
  std::size_t only_crowd = 0;
};
FilteredImages count_images_without_boxes(const Dataset& dataset);

// Removes them, as Detectron and Detectron2's FILTER_EMPTY_ANNOTATIONS do. Throws kData when no image is left.
FilteredImages filter_images_without_boxes(Dataset& dataset);

}  // namespace lockstep
