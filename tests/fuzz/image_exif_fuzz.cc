// SPDX-License-Identifier: Apache-2.0
// Any bytes for the readers of our own: format, traits and EXIF orientation of a picture file, and the orientation of
// a bare TIFF structure, which is what EXIF data are.
#include <cstdint>
#include <span>

#include "fuzz/fuzz_check.h"
#include "lockstep/base/error.h"
#include "lockstep/data/exif.h"
#include "lockstep/data/image_traits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using lockstep::testing::fuzz_check;
  const std::span<const std::uint8_t> bytes(data, size);
  const lockstep::ImageTraits traits = lockstep::read_image_traits(bytes);
  fuzz_check(traits.orientation >= 1 && traits.orientation <= 8, "an orientation of 1 to 8");
  const int tiff = lockstep::read_tiff_orientation(bytes);
  fuzz_check(tiff >= 1 && tiff <= 8, "an orientation of 1 to 8");
  if (traits.format != lockstep::ImageFormat::kUnknown) return 0;
  fuzz_check(traits.orientation == 1, "orientation 1 for what is no picture");
  try {
    lockstep::throw_no_image(bytes, "folder/fuzz.image");
  } catch (const lockstep::Error& error) {
    fuzz_check(lockstep::exit_code(error.kind()) == 2, "an error of the user");
  }
  return 0;
}
