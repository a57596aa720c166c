// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/weights.h"

#include "io/io_test_support.h"

namespace lockstep {
namespace {

using WeightsTest = FolderTest;

TEST_F(WeightsTest, EveryTensorIsAccountedFor) {
  const Tensor a = Tensor::from<float>({2}, {1, 2});
  write_safetensors(file("w"), {{"same", &a}, {"cls_score.bias", &a}, {"extra", &a}});
  const SafetensorsFile read(file("w"));
  const WeightMatch match = match_weights(read, {{"same", {2}}, {"cls_score.bias", {4}}, {"new", {1}}});
  EXPECT_EQ(match.loaded, std::vector<std::string>{"same"});
  EXPECT_FALSE(match.complete());
  EXPECT_EQ(match.text(), "weights file '" + file("w").string() +
                              "': 1 loaded, 1 missing, 1 unused, 1 of another shape\n"
                              "  other shape  cls_score.bias: the model wants [4], the file has [2]\n"
                              "  missing      new\n"
                              "  unused       extra\n");
  EXPECT_TRUE(match_weights(read, {{"same", {2}}}).complete());
}

}  // namespace
}  // namespace lockstep
