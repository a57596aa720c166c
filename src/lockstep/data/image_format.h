// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

// The formats that are read.
enum class ImageFormat { kUnknown, kJpeg, kPng, kWebp, kTiff };

// Told by the first bytes, never by the name of a file.
ImageFormat image_format(std::span<const std::uint8_t> bytes);
std::string_view to_string(ImageFormat format);

// Says of bytes whose format is kUnknown what they are. Throws kUnsupported for pictures of formats that are not read
// (BMP, GIF, HEIC, ...), kData for anything else (nothing, text, a web page that was stored in place of a picture,
// ...).
[[noreturn]] void throw_no_image(std::span<const std::uint8_t> bytes, const std::string& path);

// True when the ending of `path` belongs to another format than the bytes.
bool is_misleading_name(const std::string& path, ImageFormat format);

}  // namespace lockstep
