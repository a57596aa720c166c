// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/yaml_text_check.h"

#include "lockstep/base/check.h"
#include "lockstep/base/utf8.h"

namespace lockstep {
namespace {

std::string with_plain_line_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 >= text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

void check_bytes(std::string_view text, const std::string& file_name) {
  int line = 1;
  int column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    LS_CHECK(kConfig, length > 0,
             "{}:{}:{}: found the byte 0x{:02x}, which is not UTF-8, wanted a text file in UTF-8; save it as UTF-8",
             file_name, line, column, static_cast<unsigned>(byte));
    LS_CHECK(kConfig, (byte >= 0x20 && byte != 0x7F) || byte == '\n' || byte == '\t',
             "{}:{}:{}: found the control character 0x{:02x}, wanted text; is this a YAML file?", file_name, line,
             column, static_cast<unsigned>(byte));
    ++column;
    if (byte == '\n') {
      ++line;
      column = 1;
    }
    i += length;
  }
}

bool is_marker(std::string_view line, std::string_view marker) {
  return line.substr(0, 3) == marker && (line.size() == 3 || line[3] == ' ' || line[3] == '\t');
}

// A line that says nothing: blank or a comment.
bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '#';
}

void check_lines(std::string_view text, const std::string& file_name) {
  int number = 0;
  bool content = false;   // a line of the first document was seen
  bool started = false;   // by `---`
  bool finished = false;  // by `...`
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (is_blank(line)) continue;
    const std::size_t indent = line.find_first_not_of(" \t");
    const std::size_t tab = line.substr(0, indent).find('\t');
    LS_CHECK(kConfig, tab == std::string_view::npos,
             "{}:{}:{}: found a tab in the indentation, wanted spaces only (YAML forbids tabs there)", file_name,
             number, tab + 1);
    const bool new_document = is_marker(line, "---");
    LS_CHECK(kConfig, !finished && !(new_document && (content || started)),
             "{}:{}:1: found a second YAML document, wanted one document per file; put it into a file of its own",
             file_name, number);
    if (is_marker(line, "...")) {
      finished = true;
    } else if (new_document) {
      started = true;
    } else if (line[0] != '%') {
      content = true;
    }
  }
}

}  // namespace

std::string check_yaml_text(std::string_view text, const std::string& file_name) {
  LS_CHECK(kConfig, text.size() <= kMaxConfigBytes,
           "{}: found {} bytes, wanted a config of at most {} bytes; is this a YAML file?", file_name, text.size(),
           kMaxConfigBytes);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::string clean = with_plain_line_ends(text);
  check_bytes(clean, file_name);
  check_lines(clean, file_name);
  return clean;
}

}  // namespace lockstep
