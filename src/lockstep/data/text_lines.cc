// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/text_lines.h"

#include <string_view>

#include "lockstep/base/check.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {

std::vector<std::string> read_text_lines(const std::string& path, std::vector<std::size_t>* numbers) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  LS_CHECK(kData, !text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF"),
           "cannot read {}: it is UTF-16; save it as UTF-8", path);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) continue;
    lines.emplace_back(line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1));
    if (numbers != nullptr) numbers->push_back(number);
  }
  return lines;
}

}  // namespace lockstep
