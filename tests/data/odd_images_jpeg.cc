// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "data/exif_test_util.h"
#include "data/jpeg_maker.h"
#include "data/odd_image_cases.h"
#include "lockstep/data/exif.h"

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int kJpegTolerance = 4;    // of quality 95 on a smooth picture
constexpr int kCoarseTolerance = 9;  // with subsampled colours

OddImage jpeg(std::string name, const JpegKind& kind, std::string rules = "", int tolerance = kJpegTolerance) {
  const bool grey = kind.colour == JpegColour::kGrey;
  Image image = ramp_image(53, 37);
  Bytes bytes = make_jpeg(image, kind);
  return {std::move(name), "a.jpg", std::move(bytes), std::move(rules), grey ? grey_ramp_image(53, 37) : image,
          tolerance};
}

// The place of a marker in the file.
std::size_t find_marker(const Bytes& jpeg, std::uint8_t marker) {
  for (std::size_t i = 0; i + 1 < jpeg.size(); ++i) {
    if (jpeg[i] == 0xFF && jpeg[i + 1] == marker) return i;
  }
  return jpeg.size();
}

Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes.at(at) = value;
  return bytes;
}

OddImage damaged(std::string name, Bytes bytes, std::string error) {
  return refused(std::move(name), "a.jpg", std::move(bytes), "file-undecodable:1", std::move(error));
}

OddImage whole(std::string name, Bytes bytes, const Image& upright, std::string rules = "",
               std::string file_name = "a.jpg") {
  return {std::move(name), std::move(file_name), std::move(bytes), std::move(rules), upright, kJpegTolerance};
}

}  // namespace

std::vector<OddImage> odd_jpegs() {
  using enum JpegColour;
  std::vector<OddImage> cases = {
      jpeg("JpegBaseline", {}),
      jpeg("JpegProgressive", {.progressive = true}),
      jpeg("JpegArithmetic", {.arithmetic = true}),
      jpeg("JpegArithmeticProgressive", {.progressive = true, .arithmetic = true}),
      jpeg("JpegRestartMarkers", {.restart_interval = 2}),
      jpeg("JpegGrey", {.colour = kGrey}, "file-grey:1"),
      jpeg("JpegGreyProgressive", {.colour = kGrey, .progressive = true}, "file-grey:1"),
      jpeg("JpegStoredAsRgb", {.colour = kRgb}),
      jpeg("Jpeg422", {.luma_h = 2, .luma_v = 1}, "", kCoarseTolerance),
      jpeg("Jpeg420", {.luma_h = 2, .luma_v = 2}, "", kCoarseTolerance),
      jpeg("Jpeg440", {.luma_h = 1, .luma_v = 2}, "", kCoarseTolerance),
      jpeg("Jpeg411", {.luma_h = 4, .luma_v = 1}, "", kCoarseTolerance),
      jpeg("Jpeg410", {.luma_h = 4, .luma_v = 2}, "", kCoarseTolerance),
      jpeg("JpegThirds", {.luma_h = 3, .luma_v = 1}, "", kCoarseTolerance),
      jpeg("Jpeg420Progressive", {.luma_h = 2, .luma_v = 2, .progressive = true}, "", kCoarseTolerance),
      jpeg("JpegCmyk", {.colour = kCmyk}, "file-cmyk:1"),
      jpeg("JpegCmykWithoutAdobe", {.colour = kCmyk, .adobe_marker = false}, "file-cmyk:1"),
      jpeg("JpegYcck", {.colour = kYcck}, "file-cmyk:1"),
      jpeg("JpegYcck420", {.colour = kYcck, .luma_h = 2, .luma_v = 2}, "file-cmyk:1", kCoarseTolerance),
  };
  OddImage dark = jpeg("JpegYcckWithBlack", {.colour = kYcck, .black = 128}, "file-cmyk:1");
  for (std::uint8_t& value : dark.upright.bgr) value = static_cast<std::uint8_t>((value * 128 + 127) / 255);
  cases.push_back(std::move(dark));
  const std::vector<std::pair<std::string, ImageSize>> thin = {
      {"JpegOnePixel", {1, 1}}, {"JpegOneRow", {40, 1}}, {"JpegOneColumn", {1, 40}}};
  for (const auto& [name, size] : thin) {
    const auto [width, height] = size;
    const std::string rules = width == height ? "" : "file-extreme-shape:1";
    const Image image = ramp_image(width, height);
    cases.push_back(whole(name, make_jpeg(image, {}), image, rules));
  }
  return cases;
}

std::vector<OddImage> odd_jpeg_damages() {
  const Image image = ramp_image(64, 48);
  const Bytes good = make_jpeg(image, {}), restarts = make_jpeg(image, {.restart_interval = 4});
  const Bytes progressive = make_jpeg(image, {.progressive = true});
  const std::size_t frame = find_marker(good, 0xC0), scan = find_marker(good, 0xDA), end = good.size();
  std::vector<OddImage> cases = {
      damaged("JpegCutInSignature", first_bytes(good, 3), "Premature end of JPEG file"),
      damaged("JpegCutInHeader", first_bytes(good, frame + 6), "Premature end of JPEG file"),
      damaged("JpegCutBehindHeader", first_bytes(good, scan + 14), "Premature end of JPEG file"),
      damaged("JpegCutInPixels", first_bytes(good, (scan + end) / 2), "Premature end of JPEG file"),
      damaged("JpegCutBeforeEnd", first_bytes(good, end - 2), "Premature end of JPEG file"),
      damaged("JpegProgressiveCut", first_bytes(progressive, progressive.size() * 2 / 3), "Premature end of JPEG file"),
      damaged(
          "JpegEndsWithZeros",
          [&] {
            Bytes zeros = good;
            std::fill(zeros.begin() + static_cast<std::ptrdiff_t>((scan + end) / 2), zeros.end(), 0);
            return zeros;
          }(),
          "cannot decode"),
      damaged(
          "JpegMiddleMissing",
          [&] {
            Bytes bytes = good;
            const auto middle = static_cast<std::ptrdiff_t>((scan + end) / 2);
            bytes.erase(bytes.begin() + middle, bytes.end() - 2);
            return bytes;
          }(),
          "premature end of data segment"),
      damaged("JpegRestartLost", with_byte(restarts, find_marker(restarts, 0xD1) + 1, 0xD5), "Corrupt JPEG data"),
      damaged("JpegZeroHeight", with_byte(with_byte(good, frame + 5, 0), frame + 6, 0), "Empty JPEG image"),
      damaged(
          "JpegEnormous",
          [&] {
            Bytes bytes = good;
            for (std::size_t i = 5; i < 9; ++i) bytes[frame + i] = 0xFD;
            return bytes;
          }(),
          "65021 x 65021 pixels are more than the limit of 268 million pixels"),
      damaged(
          "JpegProgressiveAboveMemory",
          [&] {
            Bytes bytes = progressive;
            const std::size_t sof = find_marker(bytes, 0xC2);
            for (std::size_t i : {5, 7}) bytes[sof + i] = 0x3F, bytes[sof + i + 1] = 0xFF;
            return bytes;
          }(),
          "16383 x 16383 pixels would take 2415 MB of memory, and the limit is 2147 MB"),
      damaged(
          "JpegTooManyScans",
          [&] {
            const auto first = static_cast<std::ptrdiff_t>(find_marker(progressive, 0xDA));
            std::ptrdiff_t next = first + 4;
            while (progressive.begin()[next] != 0xFF || progressive.begin()[next + 1] == 0) ++next;
            const Bytes scan_again(progressive.begin() + first, progressive.begin() + next);
            Bytes bytes = progressive;
            for (int i = 0; i < 510; ++i) bytes.insert(bytes.begin() + next, scan_again.begin(), scan_again.end());
            return bytes;
          }(),
          "more than 500 scans"),
      refused("JpegTwelveBits", "a.jpg", with_byte(good, frame + 4, 12), "file-unsupported:1",
              "Unsupported JPEG data precision 12; convert it", ErrorKind::kUnsupported),
      refused("JpegLossless", "a.jpg", with_byte(good, frame + 1, 0xC3), "file-unsupported:1",
              "SOF type 0xc3; convert it", ErrorKind::kUnsupported),
      // As frames of motion JPEG are: the tables are the standard's.
      whole(
          "JpegWithoutHuffmanTables",
          [&] {
            Bytes bytes = good;
            for (std::size_t at = find_marker(bytes, 0xC4); at < bytes.size(); at = find_marker(bytes, 0xC4)) {
              bytes[at + 1] = 0xE5;  // an application's segment now
            }
            return bytes;
          }(),
          image),
      whole(
          "JpegTrailingGarbage",
          [&] {
            Bytes bytes = good;
            bytes.insert(bytes.end(), 1000, 0xAB);
            return bytes;
          }(),
          image),
      whole(
          "JpegStrayBytesBeforeMarker",
          [&] {
            Bytes bytes = good;
            const Bytes stray = {0, 1, 2};
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(frame), stray.begin(), stray.end());
            return bytes;
          }(),
          image),
      whole(
          "JpegFillBytesBeforeMarker",
          [&] {
            Bytes bytes = good;
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(frame), 5, 0xFF);
            return bytes;
          }(),
          image),
      whole("JpegThumbnailInside", with_segment(good, 0xE1, make_jpeg(ramp_image(8, 8), {})), image),
      whole(
          "JpegHeaderOf400Kilobytes",
          [&] {
            Bytes bytes = with_orientation(good, 6, true);
            for (int i = 0; i < 7; ++i) bytes = with_segment(bytes, 0xE2, Bytes(60000, 7));
            return bytes;
          }(),
          apply_orientation(image, 6), "file-turned:1"),
  };
  // A damage that comes after a harmless oddity, which libjpeg reports first.
  Bytes odd_then_cut = with_segment(good, 0xE0, {'J', 'F', 'I', 'F', 0, 9, 9, 0, 0, 1, 0, 1, 0, 0});
  odd_then_cut.resize(odd_then_cut.size() * 3 / 4);
  cases.push_back(damaged("JpegOddVersionAndCut", odd_then_cut, "Premature end of JPEG file"));
  return cases;
}

std::vector<OddImage> odd_exifs() {
  std::vector<OddImage> cases;
  const Image image = ramp_image(48, 32);
  const Bytes good = make_jpeg(image, {});
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const std::string rules = orientation == 1 ? "" : "file-turned:1";
    cases.push_back(whole("ExifOrientation" + std::to_string(orientation),
                          with_orientation(good, orientation, orientation % 2 == 0),
                          apply_orientation(image, orientation), rules));
  }
  const auto exif = [&](const Bytes& tiff) { return with_segment(good, 0xE1, exif_segment(tiff)); };
  const Bytes six = tiff_with_orientation(6, true);
  const Image turned = apply_orientation(image, 6);
  cases.push_back(whole("ExifAsLong", with_orientation(good, 6, true, 4), turned, "file-turned:1"));
  cases.push_back(whole("ExifAsByte", with_orientation(good, 6, true, 1), turned, "file-turned:1"));
  cases.push_back(whole("ExifAsText", with_orientation(good, 6, true, 2), image));
  cases.push_back(whole("ExifOrientationZero", with_orientation(good, 0, false), image));
  cases.push_back(whole("ExifOrientationNine", with_orientation(good, 9, false), image));
  cases.push_back(whole("ExifWrongByteOrder", exif(with_byte(six, 0, 'X')), image));
  cases.push_back(whole("ExifDirectoryOutside", exif(with_byte(six, 7, 200)), image));
  cases.push_back(whole("ExifCut", exif(first_bytes(six, 17)), image));
  cases.push_back(whole("ExifEmpty", exif({}), image));
  cases.push_back(whole("ExifTooManyEntries", exif([&] {
                          Bytes tiff = with_byte(six, 8, 0xFF);
                          tiff[11] = 0x0F;  // another tag
                          return tiff;
                        }()),
                        image));
  cases.push_back(whole("ExifBehindXmp",
                        with_segment(with_orientation(good, 6, true), 0xE1, bytes_of("http://ns.adobe.com/xap/1.0/")),
                        turned, "file-turned:1"));
  cases.push_back(whole("ExifTwice", with_segment(with_orientation(good, 3, true), 0xE1, exif_segment(six)), turned,
                        "file-turned:1"));
  cases.push_back(damaged(
      "ExifSegmentLongerThanFile",
      [&] {
        Bytes bytes = with_orientation(first_bytes(good, 2), 6, true);
        bytes[4] = 0xFF;
        return bytes;
      }(),
      "Premature end of JPEG file"));
  return cases;
}

}  // namespace lockstep
