// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/dataset.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"

namespace lockstep {
namespace {

bool has_usable_box(const ImageRecord& image) {
  return std::any_of(image.boxes.begin(), image.boxes.end(), [](const GroundTruthBox& box) { return !box.crowd; });
}

std::vector<std::string> sorted_names(const std::vector<Category>& categories) {
  std::vector<std::string> names = category_names(categories);
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void refuse_categories(const Dataset& dataset, const std::vector<Category>& categories,
                                    const std::string& owner) {
  LS_THROW(kData, "the categories of '{}' ({}) are not those of '{}' ({}); give both data sets the same category names",
           dataset.name, join_words(category_names(dataset.categories)), owner, join_words(category_names(categories)));
}

}  // namespace

std::int64_t memory_of(const Dataset& dataset) {
  const std::size_t inside = std::string().capacity();  // a text up to this length takes nothing from the heap
  const auto heap = [inside](const std::string& text) { return text.capacity() > inside ? text.capacity() + 1 : 0; };
  std::size_t bytes = dataset.images.capacity() * sizeof(ImageRecord);
  for (const ImageRecord& image : dataset.images) {
    bytes += heap(image.file_name) + heap(image.path) + image.boxes.capacity() * sizeof(GroundTruthBox);
  }
  for (const Category& category : dataset.categories) bytes += sizeof(Category) + heap(category.name);
  return static_cast<std::int64_t>(bytes);
}

std::vector<std::string> category_names(const std::vector<Category>& categories) {
  std::vector<std::string> names;
  for (const Category& category : categories) names.push_back(category.name);
  return names;
}

void map_to_categories(Dataset& dataset, const std::vector<Category>& categories, const std::string& owner) {
  std::map<std::string, std::int32_t> index_of;
  for (std::size_t i = 0; i < categories.size(); ++i) index_of[categories[i].name] = static_cast<std::int32_t>(i);
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> new_index;
  for (const Category& category : dataset.categories) {
    const auto found = index_of.find(category.name);
    new_index.push_back(found == index_of.end() ? kNone : found->second);
  }
  const bool any_common = std::any_of(new_index.begin(), new_index.end(), [](std::int32_t i) { return i != kNone; });
  if (!any_common) refuse_categories(dataset, categories, owner);
  for (ImageRecord& image : dataset.images) {
    for (GroundTruthBox& box : image.boxes) {
      box.class_index = new_index[static_cast<std::size_t>(box.class_index)];
      if (box.class_index == kNone) refuse_categories(dataset, categories, owner);
    }
  }
  dataset.categories = categories;
}

Dataset concatenate(std::vector<Dataset> parts) {
  LS_CHECK(kConfig, !parts.empty(), "no data set was given; set DATASETS.TRAIN");
  Dataset all = std::move(parts.front());
  const std::string first_name = all.name;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (sorted_names(parts[i].categories) != sorted_names(all.categories)) {
      refuse_categories(parts[i], all.categories, first_name);
    }
    map_to_categories(parts[i], all.categories, first_name);
    all.name += "+" + parts[i].name;
    std::move(parts[i].images.begin(), parts[i].images.end(), std::back_inserter(all.images));
  }
  return all;
}

void check_image_ids_differ(const Dataset& dataset) {
  std::map<std::int64_t, const ImageRecord*> seen;
  for (const ImageRecord& image : dataset.images) {
    const auto [place, fresh] = seen.emplace(image.id, &image);
    LS_CHECK(kData, fresh,
             "data set '{}': the images '{}' and '{}' both have the id {}, so evaluation could not tell them apart; "
             "evaluate the data sets one by one, or give their images other ids",
             dataset.name, place->second->path, image.path, image.id);
  }
}

void check_images_exist(const Dataset& dataset) {
  constexpr std::size_t kShown = 3;
  std::size_t missing = 0;
  std::string examples;
  for (const ImageRecord& image : dataset.images) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(image.path, failed)) continue;
    if (++missing <= kShown) examples += fmt::format("\n  {} (image id {})", image.path, image.id);
  }
  if (missing == 0) return;
  const std::string directory = std::filesystem::path(dataset.images.front().path).parent_path().string();
  LS_THROW(kData,
           "{} of the {} images of data set '{}' do not exist, the first:{}\n  The image directory '{}' {}; check the "
           "directory in the data set's name (coco:FILE.json:IMAGE_DIR) and the file_name entries",
           missing, dataset.images.size(), dataset.name, examples, directory,
           std::filesystem::is_directory(directory) ? "exists" : "does not exist");
}

FilteredImages count_images_without_boxes(const Dataset& dataset) {
  FilteredImages counts;
  for (const ImageRecord& image : dataset.images) {
    if (has_usable_box(image)) continue;
    ++(image.boxes.empty() ? counts.without_boxes : counts.only_crowd);
  }
  return counts;
}

FilteredImages filter_images_without_boxes(Dataset& dataset) {
  const FilteredImages counts = count_images_without_boxes(dataset);
  const std::size_t before = dataset.images.size();
  LS_CHECK(kData, counts.without_boxes + counts.only_crowd < before,
           "data set '{}' has no image left to train on: of {} images none has a usable box{}; check 'annotations' and "
           "'iscrowd', or set DATALOADER.FILTER_EMPTY_ANNOTATIONS False",
           dataset.name, before,
           counts.only_crowd == 0
               ? ""
               : fmt::format(", {} of them because all their boxes are crowd (iscrowd 1)", counts.only_crowd));
  std::erase_if(dataset.images, [](const ImageRecord& image) { return !has_usable_box(image); });
  return counts;
}

}  // namespace lockstep
