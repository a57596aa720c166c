// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/file_checks.h"

#include <gtest/gtest.h>

#include "data/data_test_util.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/image_traits.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

class FileChecks : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(dir_.file("images")); }
  void add(const std::string& name, std::vector<std::uint8_t> bytes, int width = 20, int height = 10) {
    write_file(dir_.file("images/" + name), bytes);
    list(name, width, height);
  }
  void list(const std::string& name, int width = 20, int height = 10) {
    std::vector<ImageRecord>& images = sets_[0].dataset.images;
    images.push_back(
        {static_cast<std::int64_t>(images.size()) + 1, name, dir_.file("images/" + name), width, height, {}});
  }
  DataReport check(DecodeLevel level) {
    DataReport report(DataReport::Mode::kCollect);
    check_files(sets_, level, report);
    return report;
  }
  static std::string first(const DataReport& report, Rule rule) {
    const auto& examples = report.sources()[0].of(rule).examples;
    return examples.empty() ? "" : examples[0].file + " " + examples[0].detail;
  }
  static std::vector<std::uint8_t> jpeg(std::uint32_t state = 1) { return encode_jpeg(noise_image(20, 10, state), 90); }
  TempDir dir_;
  std::vector<ReadDataset> sets_ = {{"set.json", {"set", {{1, "cat"}}, {}}}};
};

TEST_F(FileChecks, FindNothingInGoodFiles) {
  add("a.jpg", jpeg(1));
  add("b.PNG", encode_png(noise_image(20, 10, 2)));
  const DataReport report = check(DecodeLevel::kFull);
  EXPECT_EQ(report.json(), "[]");
}

TEST_F(FileChecks, FindMissingFilesAtEveryLevel) {
  list("none.jpg");
  for (const DecodeLevel level : {DecodeLevel::kNone, DecodeLevel::kHeader, DecodeLevel::kFull}) {
    EXPECT_EQ(check(level).count(Rule::kFileMissing), 1);
  }
}

TEST_F(FileChecks, FindDamageInHeadersAndBehindThem) {
  add("empty.jpg", {});
  add("text.jpg", {'h', 'e', 'l', 'l', 'o'});
  std::vector<std::uint8_t> cut = encode_jpeg(noise_image(200, 100, 3), 90);
  cut.resize(cut.size() / 2);
  add("cut.jpg", cut, 200, 100);
  EXPECT_EQ(check(DecodeLevel::kNone).count(Rule::kFileUndecodable), 0);
  EXPECT_EQ(check(DecodeLevel::kHeader).count(Rule::kFileUndecodable), 2);
  const DataReport full = check(DecodeLevel::kFull);
  EXPECT_EQ(full.count(Rule::kFileUndecodable), 3);
  EXPECT_THAT(first(full, Rule::kFileUndecodable), HasSubstr("empty.jpg: 0 bytes"));
}

TEST_F(FileChecks, FindFormatsThatAreNotRead) {
  add("a.gif", {'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0});
  EXPECT_EQ(check(DecodeLevel::kHeader).count(Rule::kFileUnsupported), 1);
}

TEST_F(FileChecks, FindOtherSizesAndNames) {
  add("resized.jpg", jpeg(), 40, 20);
  add("png.jpg", encode_png(noise_image(20, 10, 4)));
  add("long.png", encode_png(noise_image(110, 10, 5)), 110, 10);
  const DataReport report = check(DecodeLevel::kHeader);
  EXPECT_EQ(report.count(Rule::kFileSizeDiffers), 1);
  EXPECT_THAT(first(report, Rule::kFileSizeDiffers), HasSubstr("has 20 x 10 pixels, the annotations say 40 x 20"));
  EXPECT_EQ(report.count(Rule::kFileNameMisleads), 1);
  EXPECT_EQ(report.count(Rule::kFileExtremeShape), 1);
}

TEST_F(FileChecks, FindCopiesOverDataSetsAndUnlistedFiles) {
  add("a.jpg", jpeg());
  add("b.jpg", jpeg());
  write_file(dir_.file("images/c.jpg"), jpeg(9));
  sets_.push_back({"val.json", {"val", {{1, "cat"}}, {sets_[0].dataset.images.back()}}});
  sets_[0].dataset.images.pop_back();
  EXPECT_EQ(check(DecodeLevel::kHeader).count(Rule::kFileCopies), 0);
  const DataReport report = check(DecodeLevel::kFull);
  ASSERT_EQ(report.sources().size(), 2u);
  EXPECT_EQ(report.sources()[1].of(Rule::kFileCopies).count, 1);
  EXPECT_EQ(report.count(Rule::kFileUnlisted), 1);
  EXPECT_THAT(first(report, Rule::kFileUnlisted), HasSubstr("c.jpg"));
}

TEST(ImageTraits, ReadsPngHeaders) {
  std::vector<std::uint8_t> png = encode_png(Image(3, 3));
  EXPECT_EQ(read_image_traits(png).channels, 3);
  png[24] = 16, png[25] = 4;  // grey with alpha
  const ImageTraits traits = read_image_traits(png);
  EXPECT_EQ(traits.channels, 2);
  EXPECT_TRUE(traits.alpha);
  EXPECT_TRUE(traits.sixteen_bit);
}

TEST(ImageTraits, CountsTheComponentsOfAJpeg) {
  std::vector<std::uint8_t> jpeg = encode_jpeg(Image(8, 8), 90);
  EXPECT_EQ(read_image_traits(jpeg).channels, 3);
  jpeg.resize(10);
  EXPECT_EQ(read_image_traits(jpeg).channels, 0);
  const std::vector<std::uint8_t> grey = {0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0};
  EXPECT_EQ(read_image_traits(grey).channels, 1);
}

}  // namespace
}  // namespace lockstep
