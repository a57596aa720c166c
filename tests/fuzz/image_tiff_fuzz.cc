// SPDX-License-Identifier: Apache-2.0
// Any bytes as a TIFF file.
#include "fuzz/image_decode_check.h"
#include "lockstep/data/tiff_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockstep::testing::check_decoder({data, size}, lockstep::decode_tiff, lockstep::read_tiff_size);
  return 0;
}
