// SPDX-License-Identifier: Apache-2.0
// Any bytes as a PNG file.
#include "fuzz/image_decode_check.h"
#include "lockstep/data/png_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockstep::testing::check_decoder({data, size}, lockstep::decode_png, lockstep::read_png_size);
  return 0;
}
