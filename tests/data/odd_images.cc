// SPDX-License-Identifier: Apache-2.0
#include "data/odd_images.h"

#include <ostream>

#include "data/odd_image_cases.h"

namespace lockstep {

void PrintTo(const OddImage& odd, std::ostream* out) { *out << odd.name << ": " << odd.bytes.size() << " bytes"; }

const std::vector<OddImage>& odd_images() {
  static const std::vector<OddImage> kAll = [] {
    std::vector<OddImage> all;
    for (const auto& part : {odd_jpegs(), odd_jpeg_damages(), odd_exifs(), odd_pngs(), odd_png_damages(), odd_webps(),
                             odd_webp_damages(), odd_tiffs(), odd_tiff_damages(), odd_other_files()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kAll;
}

Image ramp_image(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(60 + 140 * x / width);
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(50 + 150 * y / height);
      image.row(y)[3 * x + 2] = 90;
    }
  }
  return image;
}

Image grey_ramp_image(int width, int height) {
  Image image = ramp_image(width, height);
  for (std::size_t i = 0; i < image.bgr.size(); i += 3) image.bgr[i] = image.bgr[i + 2] = image.bgr[i + 1];
  return image;
}

std::vector<std::uint8_t> first_bytes(const std::vector<std::uint8_t>& bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

OddImage refused(std::string name, std::string file_name, std::vector<std::uint8_t> bytes, std::string rules,
                 std::string error, ErrorKind kind) {
  OddImage odd{std::move(name), std::move(file_name), std::move(bytes), std::move(rules)};
  odd.error = std::move(error);
  odd.kind = kind;
  return odd;
}

}  // namespace lockstep
