// SPDX-License-Identifier: Apache-2.0
#include "data/jpeg_maker.h"

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

namespace lockstep {
namespace {

// One row of `image` as the encoder takes it: grey (green), red green blue, or inverted inks.
void fill_row(const Image& image, int y, const JpegKind& kind, std::vector<std::uint8_t>& row) {
  row.clear();
  for (int x = 0; x < image.width; ++x) {
    const std::uint8_t* bgr = image.row(y) + 3 * x;
    if (kind.colour == JpegColour::kGrey) {
      row.push_back(bgr[1]);
      continue;
    }
    row.insert(row.end(), {bgr[2], bgr[1], bgr[0]});
    if (kind.colour == JpegColour::kCmyk || kind.colour == JpegColour::kYcck) {
      row.push_back(static_cast<std::uint8_t>(kind.black));
    }
  }
}

void set_colour(jpeg_compress_struct& writer, const JpegKind& kind) {
  const bool ink = kind.colour == JpegColour::kCmyk || kind.colour == JpegColour::kYcck;
  const bool grey = kind.colour == JpegColour::kGrey;
  writer.input_components = grey ? 1 : ink ? 4 : 3;
  writer.in_color_space = grey ? JCS_GRAYSCALE : ink ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(&writer);
  switch (kind.colour) {
    case JpegColour::kGrey: jpeg_set_colorspace(&writer, JCS_GRAYSCALE); break;
    case JpegColour::kYcc: jpeg_set_colorspace(&writer, JCS_YCbCr); break;
    case JpegColour::kRgb: jpeg_set_colorspace(&writer, JCS_RGB); break;
    case JpegColour::kCmyk: jpeg_set_colorspace(&writer, JCS_CMYK); break;
    case JpegColour::kYcck: jpeg_set_colorspace(&writer, JCS_YCCK); break;
  }
  if (!kind.adobe_marker) writer.write_Adobe_marker = FALSE;
  for (int c = 0; c < writer.num_components; ++c) {
    writer.comp_info[c].h_samp_factor = c == 0 || c == 3 ? kind.luma_h : 1;
    writer.comp_info[c].v_samp_factor = c == 0 || c == 3 ? kind.luma_v : 1;
  }
}

}  // namespace

std::vector<std::uint8_t> make_jpeg(const Image& image, const JpegKind& kind) {
  jpeg_compress_struct writer{};
  jpeg_error_mgr errors{};
  writer.err = jpeg_std_error(&errors);  // ends the program: these files are known to be well
  jpeg_create_compress(&writer);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&writer, &memory, &size);
  writer.image_width = static_cast<JDIMENSION>(image.width);
  writer.image_height = static_cast<JDIMENSION>(image.height);
  set_colour(writer, kind);
  jpeg_set_quality(&writer, 95, TRUE);
  if (kind.progressive) jpeg_simple_progression(&writer);
  writer.arith_code = kind.arithmetic ? TRUE : FALSE;
  writer.restart_interval = static_cast<unsigned>(kind.restart_interval);
  jpeg_start_compress(&writer, TRUE);
  std::vector<std::uint8_t> row;
  for (int y = 0; y < image.height; ++y) {
    fill_row(image, y, kind, row);
    JSAMPROW start = row.data();
    jpeg_write_scanlines(&writer, &start, 1);
  }
  jpeg_finish_compress(&writer);
  jpeg_destroy_compress(&writer);
  std::vector<std::uint8_t> bytes(memory, memory + size);
  std::free(memory);
  return bytes;
}

std::vector<std::uint8_t> with_segment(const std::vector<std::uint8_t>& jpeg, std::uint8_t marker,
                                       const std::vector<std::uint8_t>& body) {
  std::vector<std::uint8_t> file(jpeg.begin(), jpeg.begin() + 2);
  const std::size_t length = body.size() + 2;
  file.insert(file.end(), {0xFF, marker, static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length)});
  file.insert(file.end(), body.begin(), body.end());
  file.insert(file.end(), jpeg.begin() + 2, jpeg.end());
  return file;
}

}  // namespace lockstep
