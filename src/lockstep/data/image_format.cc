// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

using std::string_view_literals::operator""sv;

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Without blanks and a byte order mark before it, in lower case.
std::string start_of_text(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::string start(text.substr(0, kLongest));
  std::transform(start.begin(), start.end(), start.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return start;
}

// A picture of a format that is not read; empty for anything else.
std::string_view other_format(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOthers = {{
      {"GIF8", "GIF"},
      {"BM", "BMP"},
      {"8BPS", "Photoshop"},
      {"\0\0\0\x0CjP  "sv, "JPEG 2000"},
      {"\xFF\x4F\xFF\x51", "JPEG 2000"},
      {"\0\0\0\x0CJXL "sv, "JPEG XL"},
      {"\xFF\x0A", "JPEG XL"},
      {"\0\0\1\0"sv, "Windows icon"},
      {"\x76\x2F\x31\x01", "OpenEXR"},
  }};
  for (const auto& [magic, name] : kOthers) {
    if (text.starts_with(magic)) return name;
  }
  const std::string_view box = text.size() >= 12 ? text.substr(4, 8) : "";
  if (box == "ftypavif" || box == "ftypavis") return "AVIF";
  if (box == "ftypheic" || box == "ftypheix" || box == "ftypmif1") return "HEIC";
  const bool netpbm = text.size() >= 3 && text[0] == 'P' && text[1] >= '1' && text[1] <= '7' &&
                      std::isspace(static_cast<unsigned char>(text[2])) != 0;
  if (netpbm) return "Netpbm";
  const std::string start = start_of_text(text);
  if (start.starts_with("<svg") || (start.starts_with("<?xml") && text.find("<svg") != std::string_view::npos)) {
    return "SVG";
  }
  return "";
}

}  // namespace

ImageFormat image_format(std::span<const std::uint8_t> bytes) {
  const std::string_view text = text_of(bytes);
  if (text.starts_with("\xFF\xD8\xFF")) return ImageFormat::kJpeg;
  if (text.starts_with("\x89PNG\r\n\x1A\n")) return ImageFormat::kPng;
  if (text.starts_with("RIFF") && text.substr(std::min<std::size_t>(8, text.size())).starts_with("WEBP")) {
    return ImageFormat::kWebp;
  }
  for (const std::string_view magic : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}) {  // the latter two are BigTIFF
    if (text.starts_with(magic)) return ImageFormat::kTiff;
  }
  return ImageFormat::kUnknown;
}

std::string_view to_string(ImageFormat format) {
  switch (format) {
    case ImageFormat::kJpeg: return "JPEG";
    case ImageFormat::kPng: return "PNG";
    case ImageFormat::kWebp: return "WebP";
    case ImageFormat::kTiff: return "TIFF";
    case ImageFormat::kUnknown: break;
  }
  return "unknown";
}

void throw_no_image(std::span<const std::uint8_t> bytes, const std::string& path) {
  LS_CHECK(kData, !bytes.empty(), "cannot decode {}: 0 bytes", path);
  const std::string_view text = text_of(bytes), other = other_format(text);
  LS_CHECK(kUnsupported, other.empty(),
           "cannot decode {}: it is a {} file; convert it to JPEG, PNG, WebP or TIFF, the formats that are read", path,
           other);
  const std::string start = start_of_text(text);
  LS_CHECK(kData, !start.starts_with("<!doctype html") && !start.starts_with("<html"),
           "cannot decode {}: it is a web page, stored where a picture was to be downloaded", path);
  LS_CHECK(kData, !text.starts_with("version https://git-lfs"),
           "cannot decode {}: it is a pointer of Git LFS; fetch the picture with 'git lfs pull'", path);
  const bool zeros = std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
  LS_CHECK(kData, !zeros, "cannot decode {}: {} bytes that are all zero; the file was never written", path,
           bytes.size());
  LS_THROW(kData, "cannot decode {}: {} bytes that start with the signature of no known picture format", path,
           bytes.size());
}

bool is_misleading_name(const std::string& path, ImageFormat format) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  switch (format) {
    case ImageFormat::kJpeg:
      return extension != ".jpg" && extension != ".jpeg" && extension != ".jpe" && extension != ".jfif";
    case ImageFormat::kPng: return extension != ".png";
    case ImageFormat::kWebp: return extension != ".webp";
    case ImageFormat::kTiff: return extension != ".tif" && extension != ".tiff";
    case ImageFormat::kUnknown: break;
  }
  return false;
}

}  // namespace lockstep
