// SPDX-License-Identifier: Apache-2.0
// Odd image files as people report them, one of each kind, and what becomes of them: decoded to known pixels the right
// way up, or refused with a text, and what a data check counts.
#include "data/odd_images.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "data/data_test_util.h"
#include "lockstep/data/exif.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/file_checks.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

int largest_difference(const Image& a, const Image& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.bgr.size(); ++i) largest = std::max(largest, std::abs(a.bgr[i] - b.bgr[i]));
  return largest;
}

std::string rules_of(const std::string& path, ImageSize size) {
  const std::vector<ReadDataset> sets = {{"set", {"set", {{1, "cat"}}, {{1, "", path, size.width, size.height, {}}}}}};
  DataReport report(DataReport::Mode::kCollect);
  check_files(sets, DecodeLevel::kFull, report);
  std::string names;
  for (const RuleInfo& rule : rule_table()) {
    if (report.count(rule.rule) == 0 || rule.rule == Rule::kFileUnlisted) continue;
    names += fmt::format("{}{}:{}", names.empty() ? "" : " ", rule.name, report.count(rule.rule));
  }
  return names;
}

// The size in the header, of a file whose pixels cannot be decoded.
ImageSize announced_size(const std::vector<std::uint8_t>& bytes) {
  try {
    return stored_image_size(bytes, "");
  } catch (const Error&) {
    return {1, 1};
  }
}

class OddImageFile : public testing::TestWithParam<std::size_t> {};

TEST_P(OddImageFile, EndsAsStated) {
  const OddImage& odd = odd_images()[GetParam()];
  const TempDir dir;
  const std::string path = dir.file(odd.file_name);
  write_file(path, odd.bytes);
  if (!odd.error.empty()) {
    const std::string text = error_of(odd.kind, [&] { load_image(path); });
    EXPECT_THAT(text, HasSubstr(odd.error));
    EXPECT_THAT(text, HasSubstr(path)) << "the file is not named";
    EXPECT_EQ(rules_of(path, announced_size(odd.bytes)), odd.rules);
    return;
  }
  const ImageSize size{odd.upright.width, odd.upright.height};
  EXPECT_EQ(read_image_size(path), size);
  EXPECT_EQ(rules_of(path, size), odd.rules);
  for (const ImageSize annotated : {ImageSize{}, size}) {
    const Image image = load_image(path, annotated);
    ASSERT_EQ((ImageSize{image.width, image.height}), size);
    EXPECT_LE(largest_difference(image, odd.upright), odd.tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, OddImageFile, testing::Range(std::size_t{0}, odd_images().size()),
                         [](const auto& one) { return odd_images()[one.param].name; });

TEST(OddImages, ThereAreManyAndEachHasAName) {
  std::set<std::string> names;
  for (const OddImage& odd : odd_images()) EXPECT_TRUE(names.insert(odd.name).second) << odd.name;
  EXPECT_GE(names.size(), 50u);
}

// The rule of docs/data.md: the annotated size decides whether the annotator saw the picture turned.
TEST(OddImages, AreLeftAsStoredWhereTheAnnotationsSaySo) {
  int turned = 0;
  for (const OddImage& odd : odd_images()) {
    const int orientation = read_exif_orientation(odd.bytes);
    if (orientation < 5) continue;
    ++turned;
    const TempDir dir;
    const std::string path = dir.file(odd.file_name);
    write_file(path, odd.bytes);
    if (!odd.error.empty()) continue;
    const Image stored = load_image(path, {odd.upright.height, odd.upright.width});
    EXPECT_LE(largest_difference(apply_orientation(stored, orientation), odd.upright), odd.tolerance) << odd.name;
    EXPECT_THAT(error_of(ErrorKind::kData,
                         [&] {
                           load_image(path, {999, 999});
                         }),
                HasSubstr("annotation says 999 x 999"));
  }
  EXPECT_GE(turned, 9);
}

TEST(OddImages, DirectoriesAndUnreadableFilesAreErrorsOfTheSystem) {
  const TempDir dir;
  EXPECT_THAT(error_of(ErrorKind::kIo, [&] { load_image(dir.path()); }), HasSubstr("it is a directory"));
  EXPECT_EQ(rules_of(dir.path(), {4, 4}), "file-missing:1");
  EXPECT_THAT(error_of(ErrorKind::kIo, [&] { load_image(dir.file("none.png")); }), HasSubstr("none.png"));
  std::filesystem::create_symlink(dir.file("none.png"), dir.file("link.png"));
  EXPECT_EQ(rules_of(dir.file("link.png"), {4, 4}), "file-missing:1");
  const std::string locked = dir.file("locked.png");
  write_file(locked, encode_png(Image(4, 4)));
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  EXPECT_THAT(error_of(ErrorKind::kIo, [&] { load_image(locked); }), HasSubstr("Permission denied"));
}

// With LOCKSTEP_WRITE_ODD_IMAGES=DIR the corpus is written there, to start the fuzzers from and for
// tools/compare_odd_images.py: DIR/files/NAME, and DIR/decoded/NAME.png where it can be decoded.
TEST(OddImages, AreWrittenOnRequest) {
  const char* folder = std::getenv("LOCKSTEP_WRITE_ODD_IMAGES");
  if (folder == nullptr) GTEST_SKIP() << "LOCKSTEP_WRITE_ODD_IMAGES is not set";
  const std::filesystem::path files = std::filesystem::path(folder) / "files",
                              decoded = std::filesystem::path(folder) / "decoded";
  std::filesystem::create_directories(files);
  std::filesystem::create_directories(decoded);
  for (const OddImage& odd : odd_images()) {
    write_file(files / odd.name, odd.bytes);
    if (odd.error.empty()) write_png(decoded / (odd.name + ".png"), load_image(files / odd.name));
  }
}

}  // namespace
}  // namespace lockstep
