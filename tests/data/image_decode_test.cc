// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_decode.h"

#include <gtest/gtest.h>
#include <spng.h>
#include <turbojpeg.h>

#include <cstdlib>

#include "data/data_test_util.h"
#include "data/exif_test_util.h"
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

Bytes make_png(int width, int height, int bit_depth, int color_type, const Bytes& raw, int interlace = 0) {
  spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
  spng_ihdr header{static_cast<std::uint32_t>(width),
                   static_cast<std::uint32_t>(height),
                   static_cast<std::uint8_t>(bit_depth),
                   static_cast<std::uint8_t>(color_type),
                   0,
                   0,
                   static_cast<std::uint8_t>(interlace)};
  spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
  spng_set_ihdr(context, &header);
  spng_plte palette{};
  palette.n_entries = 2;
  palette.entries[0] = {10, 20, 30, 255};
  palette.entries[1] = {40, 50, 60, 255};
  if (color_type == SPNG_COLOR_TYPE_INDEXED) spng_set_plte(context, &palette);
  EXPECT_EQ(spng_encode_image(context, raw.data(), raw.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), 0);
  std::size_t size = 0;
  int code = 0;
  auto* memory = static_cast<std::uint8_t*>(spng_get_png_buffer(context, &size, &code));
  Bytes bytes(memory, memory + size);
  std::free(memory);
  spng_ctx_free(context);
  return bytes;
}

Bytes pixel(const Image& image, int x, int y) { return Bytes(image.row(y) + 3 * x, image.row(y) + 3 * x + 3); }

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

TEST(DecodeImage, PngColourTypes) {
  EXPECT_EQ(pixel(decode_image(make_png(1, 1, 8, SPNG_COLOR_TYPE_GRAYSCALE, {77}), "p"), 0, 0), (Bytes{77, 77, 77}));
  EXPECT_EQ(pixel(decode_image(make_png(1, 1, 1, SPNG_COLOR_TYPE_GRAYSCALE, {0x80}), "p"), 0, 0),
            (Bytes{255, 255, 255}));
  EXPECT_EQ(pixel(decode_image(make_png(2, 1, 8, SPNG_COLOR_TYPE_INDEXED, {0, 1}), "p"), 1, 0), (Bytes{60, 50, 40}));
  EXPECT_EQ(pixel(decode_image(make_png(1, 1, 8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, {1, 2, 3, 0}), "p"), 0, 0),
            (Bytes{3, 2, 1}));  // alpha is dropped, not applied
  EXPECT_EQ(pixel(decode_image(make_png(1, 1, 8, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, {9, 0}), "p"), 0, 0),
            (Bytes{9, 9, 9}));
}

TEST(DecodeImage, SixteenBitsAreDividedBy257) {
  const std::uint16_t values[] = {0x00FF, 0x8080, 0xFFFF};  // 255 / 257 rounds to 1, where a shift would give 0
  const auto* raw = reinterpret_cast<const std::uint8_t*>(values);
  const Image image = decode_image(make_png(1, 1, 16, SPNG_COLOR_TYPE_TRUECOLOR, Bytes(raw, raw + 6)), "p");
  EXPECT_EQ(pixel(image, 0, 0), (Bytes{255, 128, 1}));
}

TEST(DecodeImage, GreyJpegHasThreeEqualChannels) {
  const Image image = ramp(16, 16);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  tjhandle handle = tjInitCompress();
  ASSERT_EQ(tjCompress2(handle, image.bgr.data(), 16, 0, 16, TJPF_BGR, &memory, &size, TJSAMP_GRAY, 90, 0), 0);
  const Image decoded = decode_image({memory, memory + size}, "p");
  tjFree(memory);
  tjDestroy(handle);
  EXPECT_EQ(pixel(decoded, 5, 5)[0], pixel(decoded, 5, 5)[2]);
  EXPECT_NE(pixel(decoded, 0, 0), pixel(decoded, 15, 15));
}

TEST(DecodeImage, CmykIsConverted) {
  Bytes ink;  // inverted, as Adobe writes it: full cyan and nothing else
  for (int i = 0; i < 64; ++i) ink.insert(ink.end(), {0, 255, 255, 255});
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  tjhandle handle = tjInitCompress();
  ASSERT_EQ(tjCompress2(handle, ink.data(), 8, 0, 8, TJPF_CMYK, &memory, &size, TJSAMP_444, 100, 0), 0);
  const Bytes colour = pixel(decode_image({memory, memory + size}, "p"), 4, 4);
  tjFree(memory);
  tjDestroy(handle);
  EXPECT_GE(colour[0], 250);
  EXPECT_GE(colour[1], 250);
  EXPECT_LE(colour[2], 5);
}

TEST(DecodeImage, NamesTheFileThatCannotBeDecoded) {
  EXPECT_EQ(decode_error({}), "cannot decode dir/p.jpg: 0 bytes");
  EXPECT_THAT(decode_error({'h', 'e', 'l', 'l', 'o'}), HasSubstr("dir/p.jpg: 5 bytes that start with neither"));
  EXPECT_THAT(decode_error({'G', 'I', 'F', '8', '9', 'a'}, ErrorKind::kUnsupported), HasSubstr("it is a GIF file"));
}

TEST(DecodeImage, TruncationIsAnErrorAtEveryLength) {
  const Bytes jpeg = encode_jpeg(noise_image(64, 48, 2), 90), png = encode_png(noise_image(32, 16, 2));
  for (const Bytes* file : {&jpeg, &png}) {
    for (std::size_t size = 0; size + 3 < file->size(); size += 97) {
      const std::string text = decode_error(Bytes(file->begin(), file->begin() + static_cast<std::ptrdiff_t>(size)));
      EXPECT_THAT(text, HasSubstr("cannot decode dir/p.jpg"));
    }
    EXPECT_EQ(decode_image(*file, "p").height, file == &jpeg ? 48 : 16);  // damage leaves no trace behind
  }
}

TEST(DecodeImage, RefusesHugePicturesFromTheHeader) {
  EXPECT_THAT(decode_error(encode_png(noise_image(30, 20, 1)), ErrorKind::kData, 599),
              HasSubstr("30 x 20 pixels are more than the limit"));
  EXPECT_THAT(decode_error(encode_jpeg(noise_image(30, 20, 1), 90), ErrorKind::kData, 599),
              HasSubstr("30 x 20 pixels"));
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
