// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/odd_images.h"

namespace lockstep {

// The parts of odd_images().
std::vector<OddImage> odd_jpegs();
std::vector<OddImage> odd_jpeg_damages();
std::vector<OddImage> odd_exifs();
std::vector<OddImage> odd_pngs();
std::vector<OddImage> odd_png_damages();
std::vector<OddImage> odd_webps();
std::vector<OddImage> odd_webp_damages();
std::vector<OddImage> odd_tiffs();
std::vector<OddImage> odd_tiff_damages();
std::vector<OddImage> odd_other_files();

// A smooth picture, which JPEG keeps nearly as it is.
Image ramp_image(int width, int height);
// The same with the green channel in all three.
Image grey_ramp_image(int width, int height);

std::vector<std::uint8_t> first_bytes(const std::vector<std::uint8_t>& bytes, std::size_t count);
std::vector<std::uint8_t> bytes_of(const std::string& text);

// A case that ends with an error.
OddImage refused(std::string name, std::string file_name, std::vector<std::uint8_t> bytes, std::string rules,
                 std::string error, ErrorKind kind = ErrorKind::kData);

}  // namespace lockstep
