// SPDX-License-Identifier: Apache-2.0
#include "data/data_test_util.h"
#include "data/exif_test_util.h"
#include "data/odd_image_cases.h"
#include "data/webp_maker.h"
#include "lockstep/data/exif.h"

namespace lockstep {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int kLossyTolerance = 12;  // of quality 95 with colours at half the resolution
constexpr int kProfile = 0x20, kExif = 0x08, kXmp = 0x04, kAnimation = 0x02;
constexpr ImageSize kSize = {23, 19};

OddImage read(std::string name, Bytes bytes, const Image& upright, std::string rules = "", int tolerance = 0,
              std::string file_name = "a.webp") {
  return {std::move(name), std::move(file_name), std::move(bytes), std::move(rules), upright, tolerance};
}

OddImage damaged(std::string name, Bytes bytes, std::string error) {
  return refused(std::move(name), "a.webp", std::move(bytes), "file-undecodable:1", std::move(error));
}

Bytes followed_by(Bytes bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes.at(at) = value;
  return bytes;
}

}  // namespace

std::vector<OddImage> odd_webps() {
  const Image noise = noise_image(kSize.width, kSize.height, 5), ramp = ramp_image(kSize.width, kSize.height);
  std::vector<OddImage> cases = {
      read("WebpLossless", make_webp(noise, {}), noise),
      read("WebpLosslessAlpha", make_webp(noise, {.alpha = true}), noise, "file-alpha:1"),
      read("WebpLossy", make_webp(ramp, {.lossless = false}), ramp, "", kLossyTolerance),
      read("WebpLossyAlpha", make_webp(ramp, {.lossless = false, .alpha = true}), ramp, "file-alpha:1",
           kLossyTolerance),
      read("WebpLossyPlainAlpha", make_webp(ramp, {.lossless = false, .alpha = true, .lossless_alpha = false}), ramp,
           "file-alpha:1", kLossyTolerance),
  };
  for (const ImageSize size : {ImageSize{1, 1}, ImageSize{40, 1}, ImageSize{1, 40}}) {
    const Image thin = noise_image(size.width, size.height, 6);
    const std::string name = fmt::format("Webp{}By{}", size.width, size.height);
    cases.push_back(read(name, make_webp(thin, {}), thin, size.width == size.height ? "" : "file-extreme-shape:1"));
  }
  const Bytes good = make_webp(noise, {});
  const auto extended = [&](const WebpExtras& extras) { return extended_webp(good, kSize, extras); };
  cases.push_back(read("WebpExtended", extended({}), noise));
  cases.push_back(
      read("WebpProfile", extended({.flags = kProfile, .before = webp_chunk("ICCP", Bytes(301, 7))}), noise));
  cases.push_back(read("WebpUnknownChunk", extended({.flags = 0, .before = webp_chunk("Test", {1, 2, 3})}), noise));
  cases.push_back(read("WebpTrailingGarbage", followed_by(good, Bytes(1000, 0xAB)), noise));
  cases.push_back(read("WebpNamedJpg", good, noise, "file-name-misleads:1", 0, "a.jpg"));
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Bytes exif = webp_chunk("EXIF", tiff_with_orientation(orientation, orientation % 2 == 0));
    cases.push_back(read("WebpExif" + std::to_string(orientation), extended({.flags = kExif, .behind = exif}),
                         apply_orientation(noise, orientation), orientation == 1 ? "" : "file-turned:1"));
  }
  const Bytes six = tiff_with_orientation(6, true);
  const Image turned = apply_orientation(noise, 6);
  const auto exif_of = [&](const Bytes& body, const Bytes& before = {}) {
    return extended({.flags = kExif | kXmp, .behind = followed_by(before, webp_chunk("EXIF", body))});
  };
  cases.push_back(read("WebpExifWithPrefix", exif_of(exif_segment(six)), turned, "file-turned:1"));
  cases.push_back(
      read("WebpExifBehindXmp", exif_of(six, webp_chunk("XMP ", {'<', 'x', '>'})), turned, "file-turned:1"));
  cases.push_back(read("WebpExifNotAnnounced", extended({.flags = 0, .behind = webp_chunk("EXIF", six)}), noise));
  cases.push_back(read("WebpExifAnnouncedAndMissing", extended({.flags = kExif}), noise));
  cases.push_back(
      read("WebpExifLongerThanFile", extended({.flags = kExif, .behind = {'E', 'X', 'I', 'F', 99, 0, 0, 0}}), noise));
  cases.push_back(read("WebpExifEmpty", exif_of({}), noise));
  // The EXIF chunk stands farther behind than a header is long.
  cases.push_back(
      read("WebpExifFarBehind", exif_of(six, webp_chunk("Test", Bytes(300'001, 7))), turned, "file-turned:1"));
  return cases;
}

std::vector<OddImage> odd_webp_damages() {
  const Image noise = noise_image(kSize.width, kSize.height, 5);
  const Bytes good = make_webp(noise, {}), lossy = make_webp(noise, {.lossless = false});
  Bytes animation =
      extended_webp(first_bytes(good, 12), kSize, {.flags = kAnimation, .behind = webp_chunk("ANIM", Bytes(6, 0))});
  return {
      damaged("WebpCutInSignature", first_bytes(good, 14), "its WebP data end early"),
      damaged("WebpCutInHeader", first_bytes(good, 23), "its WebP data end early"),
      damaged("WebpCutInPixels", first_bytes(good, good.size() / 2), "its WebP data end early"),
      damaged("WebpLossyCut", first_bytes(lossy, lossy.size() / 2), "its WebP data end early"),
      damaged("WebpCutBeforeEnd", first_bytes(good, good.size() - 2), "its WebP data"),
      damaged("WebpBadSignatureOfPixels", with_byte(good, 20, 0), "its WebP data are damaged"),
      damaged("WebpBadFrameHeader", with_byte(lossy, 23, 0), "its WebP data are damaged"),
      damaged("WebpOtherCanvas", extended_webp(good, {22, 19}, {}), "its WebP data are damaged"),
      refused("WebpAnimation", "a.webp", animation, "file-unsupported:1", "it is an animation",
              ErrorKind::kUnsupported),
  };
}

}  // namespace lockstep
