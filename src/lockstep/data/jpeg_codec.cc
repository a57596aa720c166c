// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/jpeg_codec.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>

// libjpeg's headers need <cstdio> before them, and jerror.h needs jpeglib.h.
#include <jpeglib.h>

#include <jerror.h>

#include "lockstep/base/check.h"
#include "lockstep/data/cmyk.h"
#include "lockstep/data/image_decode.h"

namespace lockstep {
namespace {

// libjpeg reports an error by a call that must not return: the message is kept and the call jumps out of the library.
struct JpegErrors {
  jpeg_error_mgr manager;  // first, so that libjpeg's pointer to it is one to the whole
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave_libjpeg(j_common_ptr codec) {
  auto* errors = reinterpret_cast<JpegErrors*>(codec->err);
  errors->manager.format_message(codec, errors->message);
  std::longjmp(errors->jump, 1);
}

// Warnings after which pixels are missing or made up. Others (stray bytes between segments, odd versions) leave the
// picture whole.
bool is_damage(int warning) {
  return warning == JWRN_JPEG_EOF || warning == JWRN_HIT_MARKER || warning == JWRN_HUFF_BAD_CODE ||
         warning == JWRN_ARITH_BAD_CODE || warning == JWRN_MUST_RESYNC;
}

void take_message(j_common_ptr codec, int level) {
  if (level < 0 && is_damage(codec->err->msg_code)) leave_libjpeg(codec);
}

// A progressive file of a few kilobytes can ask for the work of thousands of pictures, one scan after another.
constexpr int kMaxScans = 500;

void count_scans(j_common_ptr codec) {
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number <= kMaxScans) return;
  auto* errors = reinterpret_cast<JpegErrors*>(codec->err);
  std::snprintf(errors->message, sizeof(errors->message), "more than %d scans", kMaxScans);
  errors->manager.msg_code = 0;
  std::longjmp(errors->jump, 1);
}

void set_up(JpegErrors& errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave_libjpeg;
  errors.manager.emit_message = take_message;
}

ErrorKind kind_of(int code) {
  switch (code) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_SOF_UNSUPPORTED: return ErrorKind::kUnsupported;
    case JERR_OUT_OF_MEMORY: return ErrorKind::kDevice;
    default: return ErrorKind::kData;
  }
}

class JpegReader {
 public:
  JpegReader(std::span<const std::uint8_t> bytes, const std::string& path) : path_(path) {
    set_up(errors_);
    reader_.err = &errors_.manager;
    call([](j_decompress_ptr reader) { jpeg_create_decompress(reader); });
    progress_.progress_monitor = count_scans;
    reader_.progress = &progress_;
    bytes_ = bytes;
  }
  ~JpegReader() { jpeg_destroy_decompress(&reader_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  ImageSize read_header() {
    call([this](j_decompress_ptr reader) {
      jpeg_mem_src(reader, bytes_.data(), static_cast<unsigned long>(bytes_.size()));
      jpeg_read_header(reader, TRUE);
    });
    return {static_cast<int>(reader_.image_width), static_cast<int>(reader_.image_height)};
  }

  // What decoding takes besides small change: three bytes of result, and all coefficients when there are several scans.
  int bytes_per_pixel() {
    return 3 + (jpeg_has_multiple_scans(&reader_) != 0 ? reader_.num_components * static_cast<int>(sizeof(JCOEF)) : 0);
  }

  void decode_into(Image& image) {
    const bool cmyk = reader_.jpeg_color_space == JCS_CMYK || reader_.jpeg_color_space == JCS_YCCK;
    reader_.out_color_space = cmyk ? JCS_CMYK : JCS_EXT_BGR;
    std::vector<std::uint8_t> ink(cmyk ? static_cast<std::size_t>(image.width) * 4 : 0);
    call([](j_decompress_ptr reader) { jpeg_start_decompress(reader); });
    for (int y = 0; y < image.height; ++y) {
      JSAMPROW row = cmyk ? ink.data() : image.row(y);
      call([&row](j_decompress_ptr reader) { jpeg_read_scanlines(reader, &row, 1); });
      if (cmyk) convert_inverted_cmyk(ink.data(), image.width, image.row(y));
    }
    call([](j_decompress_ptr reader) { jpeg_finish_decompress(reader); });
  }

 private:
  // Nothing with a destructor may live in `step`: an error leaves it by a jump.
  template <class Step>
  void call(const Step& step) {
    if (setjmp(errors_.jump) == 0) {
      step(&reader_);
      return;
    }
    const ErrorKind kind = kind_of(errors_.manager.msg_code);
    throw Error(kind, fmt::format("cannot decode {}: {}{}", path_, errors_.message,
                                  kind == ErrorKind::kUnsupported ? "; convert it to a baseline JPEG" : ""));
  }

  // The values in the file are 255 - ink.
  static void convert_inverted_cmyk(const std::uint8_t* ink, int width, std::uint8_t* bgr) {
    for (int x = 0; x < width; ++x, ink += 4, bgr += 3) {
      for (int c = 0; c < 3; ++c) bgr[2 - c] = colour_of_ink(255 - ink[c], 255 - ink[3]);
    }
  }

  const std::string& path_;
  std::span<const std::uint8_t> bytes_;
  JpegErrors errors_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct reader_{};
};

}  // namespace

Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& path, std::int64_t max_pixels) {
  JpegReader reader(bytes, path);
  const ImageSize size = reader.read_header();
  check_decode_limits(size, reader.bytes_per_pixel(), path, max_pixels);
  Image image(size.width, size.height);
  reader.decode_into(image);
  return image;
}

ImageSize read_jpeg_size(std::span<const std::uint8_t> bytes, const std::string& path) {
  return JpegReader(bytes, path).read_header();
}

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality) {
  jpeg_compress_struct writer{};
  JpegErrors errors{};
  set_up(errors);
  writer.err = &errors.manager;
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  const bool done = [&] {
    if (setjmp(errors.jump) != 0) return false;
    jpeg_create_compress(&writer);
    jpeg_mem_dest(&writer, &memory, &size);
    writer.image_width = static_cast<JDIMENSION>(image.width);
    writer.image_height = static_cast<JDIMENSION>(image.height);
    writer.input_components = 3;
    writer.in_color_space = JCS_EXT_BGR;
    jpeg_set_defaults(&writer);
    jpeg_set_quality(&writer, quality, TRUE);
    writer.comp_info[0].h_samp_factor = writer.comp_info[0].v_samp_factor = 1;
    constexpr int kExact = 96;  // above it the quicker transform would be seen
    writer.dct_method = quality >= kExact ? JDCT_ISLOW : JDCT_FASTEST;
    jpeg_start_compress(&writer, TRUE);
    while (writer.next_scanline < writer.image_height) {
      JSAMPROW row = const_cast<JSAMPROW>(image.row(static_cast<int>(writer.next_scanline)));
      jpeg_write_scanlines(&writer, &row, 1);
    }
    jpeg_finish_compress(&writer);
    return true;
  }();
  jpeg_destroy_compress(&writer);
  const std::unique_ptr<unsigned char, decltype(&std::free)> owner(memory, &std::free);
  LS_CHECK(kInternal, done, "cannot encode a {} x {} picture as JPEG: {}", image.width, image.height, errors.message);
  return {memory, memory + size};
}

}  // namespace lockstep
