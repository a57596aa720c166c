// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/safetensors.h"

#include <cstring>
#include <numeric>

#include "io/io_test_support.h"

namespace lockstep {
namespace {

using SafetensorsTest = FolderTest;

std::string with_length(std::string header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

TEST_F(SafetensorsTest, RoundTripKeepsTypesShapesBitsAndMetadata) {
  const Tensor f32 = Tensor::from<float>({2, 2}, {1.5F, -0.0F, 3e-45F, 1e30F});
  const Tensor f64 = Tensor::from<double>({1}, {0.1});
  const Tensor i32 = Tensor::from<std::int32_t>({3}, {-1, 0, 7});
  const Tensor i64 = Tensor::from<std::int64_t>({}, {std::int64_t{1} << 40});
  const Tensor u8 = Tensor::from<std::uint8_t>({3}, {1, 2, 255});
  const Tensor none(DType::kF32, {0, 4});
  write_safetensors(file("w"), {{"u", &u8}, {"f", &f32}, {"d", &f64}, {"i", &i32}, {"l", &i64}, {"none", &none}},
                    {{"config", "A: \"1\"\n"}, {"b", ""}});
  const SafetensorsFile read(file("w"));
  EXPECT_EQ(read.names(), (std::vector<std::string>{"d", "l", "f", "i", "none", "u"}));
  EXPECT_EQ(read.metadata().at("config"), "A: \"1\"\n");
  EXPECT_EQ(read.metadata().size(), 2U);
  for (const auto& [name, wanted] : std::vector<std::pair<std::string, const Tensor*>>{
           {"u", &u8}, {"f", &f32}, {"d", &f64}, {"i", &i32}, {"l", &i64}, {"none", &none}}) {
    const Tensor got = read.load(name);
    EXPECT_EQ(got.describe(), wanted->describe());
    EXPECT_TRUE(got.bytes() == 0 || std::memcmp(got.raw(), wanted->raw(), got.bytes()) == 0) << name;
  }
}

TEST_F(SafetensorsTest, SameContentGivesTheSameAlignedBytes) {
  const Tensor a = Tensor::from<float>({1}, {1});
  const Tensor b = Tensor::from<std::uint8_t>({1}, {2});
  write_safetensors(file("1"), {{"a", &a}, {"b", &b}});
  write_safetensors(file("2"), {{"b", &b}, {"a", &a}});
  EXPECT_EQ(read_all(file("1")), read_all(file("2")));
  std::uint64_t length = 0;
  std::memcpy(&length, read_all(file("1")).data(), 8);
  EXPECT_EQ(length % 8, 0U);
}

TEST_F(SafetensorsTest, BlockedTensorsAreWrittenPlain) {
  std::vector<float> values(2 * 3 * 4);
  std::iota(values.begin(), values.end(), 0.0F);
  const Tensor plain = Tensor::from<float>({1, 3, 2, 4}, values);
  Tensor blocked;
  convert_layout(plain, Layout::kNChw8c, blocked);
  write_safetensors(file("w"), {{"w", &blocked}});
  const Tensor got = SafetensorsFile(file("w")).load("w");
  EXPECT_EQ(got.describe(), "f32[1,3,2,4]");
  EXPECT_EQ(std::memcmp(got.raw(), plain.raw(), plain.bytes()), 0);
}

TEST_F(SafetensorsTest, NarrowTypesAreWidened) {
  write_all(file("w"), with_length(R"({"h":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},)"
                                   R"("b":{"dtype":"BF16","shape":[1],"data_offsets":[4,6]},)"
                                   R"("s":{"dtype":"I16","shape":[1],"data_offsets":[6,8]},)"
                                   R"("c":{"dtype":"I8","shape":[1],"data_offsets":[8,9]},)"
                                   R"("t":{"dtype":"BOOL","shape":[1],"data_offsets":[9,10]}}   )",
                                   std::string("\x00\x3C\x00\xC0\x80\x3F\xFE\xFF\xFF\x01", 10)));
  const SafetensorsFile read(file("w"));
  EXPECT_EQ(read.load("h").data<float>()[0], 1.0F);
  EXPECT_EQ(read.load("h").data<float>()[1], -2.0F);
  EXPECT_EQ(read.load("b").data<float>()[0], 1.0F);
  EXPECT_EQ(read.load("s").data<std::int32_t>()[0], -2);
  EXPECT_EQ(read.load("c").data<std::int32_t>()[0], -1);
  EXPECT_EQ(read.load("t").data<std::uint8_t>()[0], 1);
}

TEST_F(SafetensorsTest, ReadsAnAncestorsFile) {
  const std::filesystem::path path =
      std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "../shared/goldens/detectron2/faster_rcnn_r18_fpn/model.safetensors";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no ../shared beside the project";
  const SafetensorsFile read(path);
  EXPECT_GT(read.entries().size(), 50U);
  for (const std::string& name : read.names()) EXPECT_EQ(read.load(name).shape(), read.find(name)->shape);
}

}  // namespace
}  // namespace lockstep
