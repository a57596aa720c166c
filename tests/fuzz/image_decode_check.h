// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/fuzz_check.h"
#include "lockstep/base/error.h"
#include "lockstep/data/image_decode.h"

namespace lockstep::testing {

// Any bytes that `decode` takes for a picture: a picture of the size that the header told, or an error of the user that
// names the file. Small pictures only: time goes with pixels, and larger ones reach no other code.
template <class Decode, class ReadSize>
void check_decoder(std::span<const std::uint8_t> bytes, const Decode& decode, const ReadSize& read_size) {
  constexpr std::int64_t kPixels = 1 << 16;
  const std::string file_name = "folder/fuzz.image";
  try {
    const Image image = decode(bytes, file_name, kPixels);
    const bool sound = image.width >= 1 && image.height >= 1 && std::int64_t{image.width} * image.height <= kPixels &&
                       image.bgr.size() == static_cast<std::size_t>(image.width) * image.height * 3;
    fuzz_check(sound, "a picture within the limit, with all its pixels");
    fuzz_check(read_size(bytes, file_name) == ImageSize{image.width, image.height}, "the size that the header tells");
  } catch (const Error& error) {
    fuzz_check(exit_code(error.kind()) == 2, "an error of the user");
    fuzz_check(std::string_view(error.what()).find(file_name) != std::string_view::npos, "the name of the file");
  }
}

}  // namespace lockstep::testing
