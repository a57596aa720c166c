// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "fuzz/fuzz_check.h"
#include "lockstep/data/dataset.h"
#include "lockstep/data/image.h"
#include "lockstep/data/png_codec.h"

namespace lockstep::testing {

// A folder of this process for readers that want files; removed at its end.
class FuzzFolder {
 public:
  FuzzFolder() : path_(std::filesystem::temp_directory_path() / ("lockstep_fuzz_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~FuzzFolder() { std::filesystem::remove_all(path_); }
  FuzzFolder(const FuzzFolder&) = delete;
  FuzzFolder& operator=(const FuzzFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::span<const std::uint8_t> bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream stream(path_ / name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return file(name);
  }
  std::string write_picture(const std::string& name) const { return write(name, encode_png(Image(100, 50))); }

 private:
  std::filesystem::path path_;
};

// Every box lies in its image and has a class of the data set.
inline void check_boxes(const Dataset& dataset) {
  for (const ImageRecord& image : dataset.images) {
    fuzz_check(image.width >= 1 && image.height >= 1, "an image of at least one pixel");
    for (const GroundTruthBox& box : image.boxes) {
      fuzz_check(box.x1 >= 0 && box.y1 >= 0 && box.x1 < box.x2 && box.y1 < box.y2, "a box with a size");
      fuzz_check(box.x2 <= static_cast<float>(image.width) && box.y2 <= static_cast<float>(image.height),
                 "a box within its image");
      fuzz_check(static_cast<std::size_t>(box.class_index) < dataset.categories.size(), "a class of the data set");
    }
  }
}

}  // namespace lockstep::testing
