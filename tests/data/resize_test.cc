// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/resize.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "data/data_test_util.h"

namespace lockstep {
namespace {

TEST(Resize, EqualsPillow) {
  std::ifstream golden(LOCKSTEP_SOURCE_DIR "/tests/data/resize_pillow.txt");
  ASSERT_TRUE(golden);
  int cases = 0;
  ImageSize from, to;
  std::uint32_t seed = 0;
  std::string hex;
  while (golden >> from.width >> from.height >> to.width >> to.height >> seed >> hex) {
    const Image resized = resize_image(noise_image(from.width, from.height, seed), to);
    ASSERT_EQ(resized.bgr.size() * 2, hex.size());
    for (std::size_t i = 0; i < resized.bgr.size(); ++i) {
      ASSERT_EQ(resized.bgr[i], std::stoi(hex.substr(2 * i, 2), nullptr, 16)) << "case " << cases << " byte " << i;
    }
    ++cases;
  }
  EXPECT_EQ(cases, 9);
}

TEST(Resize, KeepsAFlatPicture) {
  Image flat(37, 23);
  std::fill(flat.bgr.begin(), flat.bgr.end(), 255);
  for (const ImageSize size : {ImageSize{5, 90}, ImageSize{90, 5}, ImageSize{1, 1}}) {
    for (const std::uint8_t value : resize_image(flat, size).bgr) ASSERT_EQ(value, 255);
  }
}

// Values from Detectron2's ResizeShortestEdge.get_output_shape.
TEST(ShortestEdgeSize, FollowsDetectron2) {
  EXPECT_EQ(shortest_edge_size({640, 480}, 800, 1333), (ImageSize{1067, 800}));
  EXPECT_EQ(shortest_edge_size({480, 640}, 800, 1333), (ImageSize{800, 1067}));
  EXPECT_EQ(shortest_edge_size({1920, 1080}, 800, 1333), (ImageSize{1333, 750}));
  EXPECT_EQ(shortest_edge_size({500, 333}, 600, 1000), (ImageSize{901, 600}));
  EXPECT_EQ(shortest_edge_size({100, 100}, 50, 60), (ImageSize{50, 50}));
}

TEST(ShortestEdgeSize, ZeroKeepsTheSizeAndNoSideVanishes) {
  EXPECT_EQ(shortest_edge_size({641, 479}, 0, 100), (ImageSize{641, 479}));
  EXPECT_EQ(shortest_edge_size({1, 5000}, 800, 1333), (ImageSize{1, 1333}));
}

}  // namespace
}  // namespace lockstep
