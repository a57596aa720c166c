// SPDX-License-Identifier: Apache-2.0
// Any bytes as a WebP file.
#include "fuzz/image_decode_check.h"
#include "lockstep/data/webp_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockstep::testing::check_decoder({data, size}, lockstep::decode_webp, lockstep::read_webp_size);
  return 0;
}
