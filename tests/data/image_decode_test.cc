// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_decode.h"

#include <gtest/gtest.h>

#include <fstream>

#include "data/data_test_util.h"
#include "data/exif_test_util.h"
#include "data/tiff_maker.h"
#include "data/webp_maker.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

// A smooth picture, which JPEG keeps nearly as it is.
Image ramp(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.row(y)[3 * x] = static_cast<std::uint8_t>(200 * x / width);
      image.row(y)[3 * x + 1] = static_cast<std::uint8_t>(200 * y / height);
      image.row(y)[3 * x + 2] = 90;
    }
  }
  return image;
}

std::string decode_error(const Bytes& bytes, ErrorKind kind = ErrorKind::kData, std::int64_t limit = kMaxPixels) {
  return error_of(kind, [&] { decode_image(bytes, "dir/p.jpg", limit); });
}

TEST(DecodeImage, JpegComesBackNearlyAsWritten) {
  const Image image = ramp(67, 41);
  const Image decoded = decode_image(encode_jpeg(image, 95), "p");
  ASSERT_EQ(decoded.bgr.size(), image.bgr.size());
  for (std::size_t i = 0; i < image.bgr.size(); ++i) ASSERT_NEAR(decoded.bgr[i], image.bgr[i], 4) << i;
}

TEST(DecodeImage, PngComesBackExactly) {
  const Image image = noise_image(19, 7, 4);
  EXPECT_EQ(decode_image(encode_png(image), "p"), image);
}

Bytes from_hex(const std::string& hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// Files that Pillow wrote, with the pixels that Pillow reads from them.
TEST(DecodeImage, ReadsWebpAndTiffAsPillowDoes) {
  std::ifstream golden(LOCKSTEP_SOURCE_DIR "/tests/data/pictures_pillow.txt");
  ASSERT_TRUE(golden);
  int cases = 0;
  ImageSize size;
  std::string name, file, pixels;
  while (golden >> name >> size.width >> size.height >> file >> pixels) {
    SCOPED_TRACE(name);
    const Image image = decode_image(from_hex(file), name);
    ASSERT_EQ((ImageSize{image.width, image.height}), size);
    const Bytes rgb = from_hex(pixels);
    ASSERT_EQ(rgb.size(), image.bgr.size());
    int largest = 0;
    for (std::size_t i = 0; i < rgb.size(); ++i) {
      largest = std::max(largest, std::abs(rgb[i] - image.bgr[i - i % 3 + 2 - i % 3]));
    }
    EXPECT_EQ(largest, 0);
    ++cases;
  }
  EXPECT_EQ(cases, 24);
}

TEST(DecodeImage, NamesTheFileThatCannotBeDecoded) {
  EXPECT_EQ(decode_error({}), "cannot decode dir/p.jpg: 0 bytes");
  EXPECT_THAT(decode_error({'h', 'e', 'l', 'l', 'o'}),
              HasSubstr("dir/p.jpg: 5 bytes that start with the signature of no"));
  EXPECT_THAT(decode_error({'G', 'I', 'F', '8', '9', 'a'}, ErrorKind::kUnsupported), HasSubstr("it is a GIF file"));
}

TEST(DecodeImage, TruncationIsAnErrorAtEveryLength) {
  const Bytes jpeg = encode_jpeg(noise_image(64, 48, 2), 90), png = encode_png(noise_image(32, 16, 2));
  const Bytes webp = make_webp(noise_image(32, 16, 2), {}),
              lossy = make_webp(noise_image(32, 16, 2), {.lossless = false});
  const Bytes tiff = make_tiff({}, [](int x, int y, int c) { return 9 * x + 4 * y + c; });
  for (const Bytes* file : {&jpeg, &png, &webp, &lossy, &tiff}) {
    for (std::size_t size = 0; size + 3 < file->size(); size += 97) {
      const std::string text = decode_error(Bytes(file->begin(), file->begin() + static_cast<std::ptrdiff_t>(size)));
      EXPECT_THAT(text, HasSubstr("cannot decode dir/p.jpg"));
    }
    EXPECT_GE(decode_image(*file, "p").height, 16);  // damage leaves no trace behind
  }
}

TEST(DecodeImage, RefusesHugePicturesFromTheHeader) {
  EXPECT_THAT(decode_error(encode_png(noise_image(30, 20, 1)), ErrorKind::kData, 599),
              HasSubstr("30 x 20 pixels are more than the limit"));
  EXPECT_THAT(decode_error(encode_jpeg(noise_image(30, 20, 1), 90), ErrorKind::kData, 599),
              HasSubstr("30 x 20 pixels"));
  EXPECT_THAT(decode_error(make_webp(noise_image(30, 20, 1), {}), ErrorKind::kData, 599), HasSubstr("30 x 20 pixels"));
  const Bytes tiff = make_tiff({.width = 30, .height = 20}, [](int, int, int) { return 7; });
  EXPECT_THAT(decode_error(tiff, ErrorKind::kData, 599), HasSubstr("30 x 20 pixels"));
}

TEST(LoadImage, AppliesExifByTheAnnotatedSize) {
  const TempDir dir;
  const std::string path = dir.file("photo with (spaces).png");  // a wrong extension does no harm
  write_file(path, with_orientation(encode_jpeg(ramp(32, 16), 95), 6, true));
  EXPECT_EQ(load_image(path, {16, 32}).width, 16);
  EXPECT_EQ(load_image(path, {32, 16}).width, 32);
  EXPECT_EQ(load_image(path).width, 16);
  EXPECT_EQ(read_image_size(path), (ImageSize{16, 32}));
  EXPECT_THAT(error_of(ErrorKind::kData, [&] { load_image(path, {64, 32}); }), HasSubstr("annotation says 64 x 32"));
}

TEST(LoadImage, UnreadableIsAnIoError) {
  const TempDir dir;
  EXPECT_THAT(error_of(ErrorKind::kIo, [&] { load_image(dir.file("none.jpg")); }),
              AllOf(HasSubstr("none.jpg"), HasSubstr("No such file")));
  EXPECT_THAT(error_of(ErrorKind::kIo, [&] { load_image(dir.path()); }), HasSubstr("is a directory"));
}

TEST(WriteFile, LeavesNoPartBehind) {
  const TempDir dir;
  write_png(dir.file("a.png"), noise_image(3, 3, 1));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), std::filesystem::directory_iterator()), 1);
  EXPECT_EQ(load_image(dir.file("a.png")), noise_image(3, 3, 1));
  EXPECT_THAT(error_of(ErrorKind::kIo, [] { write_file("/nowhere/a.png", {}); }),
              HasSubstr("cannot write /nowhere/a.png"));
}

}  // namespace
}  // namespace lockstep
