// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/json_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

std::size_t first_byte(std::string_view text) {
  JsonWalker walker(text);
  walker.skip_blanks();
  return walker.at();
}

}  // namespace

TextPlace place_in(std::string_view text, std::size_t offset) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
    offset -= std::min<std::size_t>(offset, 3);
  }
  text = text.substr(0, offset);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  const std::size_t line_start = text.rfind('\n') + 1;  // 0 on the first line
  const auto columns = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(line_start), text.end(),
                                     [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return {static_cast<std::size_t>(lines) + 1, static_cast<std::size_t>(columns) + 1};
}

std::string to_string(TextPlace place) { return fmt::format("{}:{}", place.line, place.column); }

std::optional<JsonFault> find_json_fault(std::string_view text) {
  try {
    JsonWalker walker(text);
    walker.skip_blanks();
    walker.skip_value();
    walker.finish();
  } catch (const JsonFault& fault) {
    return fault;
  }
  return std::nullopt;
}

JsonLists::JsonLists(std::string_view text) : text_(text) {
  JsonWalker walker(text);
  walker.skip_blanks();
  if (text_.substr(walker.at(), 1) != "{") return;
  walker.each_member([&](std::string_view key) {
    List& list = lists_.emplace_back(List{key, walker.at(), {}});
    if (text_.substr(walker.at(), 1) != "[") return walker.skip_value();
    walker.each_element([&](std::size_t) {
      list.elements.push_back(walker.at());
      walker.skip_value();
    });
  });
}

std::size_t JsonLists::offset(std::string_view list, std::optional<std::size_t> position, std::string_view key) const {
  const auto found = std::find_if(lists_.begin(), lists_.end(), [&](const List& one) { return one.key == list; });
  if (found == lists_.end()) return first_byte(text_);
  if (!position || *position >= found->elements.size()) return found->offset;
  const std::size_t element = found->elements[*position];
  std::size_t at = element;
  if (text_[element] != '{') return element;
  JsonWalker walker(text_);
  walker.go_to(element);
  walker.each_member([&](std::string_view name) {
    if (name == key && at == element) at = walker.at();
    walker.skip_value();
  });
  return at;
}

}  // namespace lockstep
