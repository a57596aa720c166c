// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/json_record.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "lockstep/base/check.h"
#include "lockstep/base/json_places.h"
#include "lockstep/data/coco_outline.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

// A value as the file shows it, cut short.
std::string shown(const simdjson::dom::element& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = simdjson::minify(value);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace

std::optional<std::int64_t> to_integer(const simdjson::dom::element& value) {
  if (std::int64_t number = 0; value.get(number) == simdjson::SUCCESS) return number;
  if (double number = 0; value.get(number) == simdjson::SUCCESS) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: above it a double skips integers
    if (std::nearbyint(number) == number && std::fabs(number) <= kExact) return static_cast<std::int64_t>(number);
    return std::nullopt;
  }
  if (std::string_view text; value.get(text) == simdjson::SUCCESS) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed == std::errc() && end == text.data() + text.size()) return number;
  }
  return std::nullopt;
}

JsonRecord::JsonRecord(const simdjson::dom::element& value, const JsonSource& source, std::string_view what,
                       std::string_view list, std::size_t position)
    : object_(value), source_(source), what_(what), list_(list), position_(position) {
  LS_CHECK(kData, value.is_object(), "{} number {} of '{}' of {} is {}, not an object {{...}}", what, position + 1,
           list, source.at(source.place(list, position)), shown(value));
}

bool JsonRecord::find(const char* key, simdjson::dom::element& value) const {
  return object_.at_key(key).get(value) == simdjson::SUCCESS;
}

bool JsonRecord::has(const char* key) const {
  simdjson::dom::element value;
  return find(key, value) && !value.is_null();
}

std::string JsonRecord::label() const {
  std::string id;
  if (simdjson::dom::element value; find("id", value)) id = shown(value) + " ";
  return fmt::format("{} {}(number {} of '{}')", what_, id, position_ + 1, list_);
}

std::string JsonRecord::place(const char* key) const { return source_.place(list_, position_, key); }

simdjson::dom::element JsonRecord::value(const char* key) const {
  simdjson::dom::element value;
  LS_ASSERT(find(key, value), "{} of {} has no '{}'", label(), source_.path(), key);
  return value;
}

void JsonRecord::fail(const char* key, std::string_view found_and_wanted) const {
  LS_THROW(kData, "{} of {} {}", label(), source_.at(place(key)), found_and_wanted);
}

void JsonRecord::require(const char* key, std::string_view wanted, simdjson::dom::element& value) const {
  if (!find(key, value)) fail(key, fmt::format("has no '{}'; wanted {}", key, wanted));
}

std::int64_t JsonRecord::integer(const char* key) const {
  simdjson::dom::element value;
  require(key, "an integer", value);
  const std::optional<std::int64_t> number = to_integer(value);
  if (!number) fail(key, fmt::format("has '{}' {}; wanted an integer", key, shown(value)));
  return *number;
}

double JsonRecord::number(const char* key) const {
  simdjson::dom::element value;
  require(key, "a number", value);
  double number = 0;
  if (value.get(number) != simdjson::SUCCESS) fail(key, fmt::format("has '{}' {}; wanted a number", key, shown(value)));
  return number;
}

std::string JsonRecord::text(const char* key) const {
  simdjson::dom::element value;
  require(key, "a text", value);
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) fail(key, fmt::format("has '{}' {}; wanted a text", key, shown(value)));
  return std::string(text);
}

bool JsonRecord::flag(const char* key) const {
  simdjson::dom::element value;
  require(key, "0 or 1", value);
  if (bool flag = false; value.get(flag) == simdjson::SUCCESS) return flag;
  const std::optional<std::int64_t> number = to_integer(value);
  if (!number || (*number != 0 && *number != 1))
    fail(key, fmt::format("has '{}' {}; wanted 0 or 1", key, shown(value)));
  return *number == 1;
}

std::array<double, 4> JsonRecord::four_numbers(const char* key) const {
  constexpr std::string_view kWanted = "4 numbers";
  simdjson::dom::element value;
  require(key, kWanted, value);
  std::array<double, 4> numbers{};
  std::size_t count = 0;
  if (simdjson::dom::array array; value.get(array) == simdjson::SUCCESS) {
    for (const simdjson::dom::element item : array) {
      if (count == numbers.size() || item.get(numbers[count]) != simdjson::SUCCESS) {
        count = 0;
        break;
      }
      ++count;
    }
  }
  if (count != numbers.size()) fail(key, fmt::format("has '{}' {}; wanted {}", key, shown(value), kWanted));
  return numbers;
}

namespace {

std::string_view start_of(std::span<const std::uint8_t> text) {
  return {reinterpret_cast<const char*>(text.data()), std::min<std::size_t>(text.size(), 3)};
}

simdjson::error_code parse(std::span<const std::uint8_t> text, simdjson::dom::parser& parser,
                           simdjson::dom::element& root) {
  const std::size_t skip = start_of(text) == "\xEF\xBB\xBF" ? 3 : 0;  // a byte-order mark
  return parser.parse(text.data() + skip, text.size() - skip, false).get(root);
}

}  // namespace

void parse_json_file(const std::string& path, simdjson::dom::parser& parser, simdjson::dom::element& root) {
  const std::vector<std::uint8_t> bytes = read_file(path, simdjson::SIMDJSON_PADDING);
  const std::span text(bytes.data(), bytes.size() - simdjson::SIMDJSON_PADDING);
  LS_CHECK(kData, !text.empty(), "cannot read {}: the file is empty; wanted COCO JSON", path);
  const std::string_view start = start_of(text);
  LS_CHECK(kData, !start.starts_with("\xFF\xFE") && !start.starts_with("\xFE\xFF"),
           "cannot read {}: it is UTF-16; save it as UTF-8", path);
  const auto failed = parse(text, parser, root);
  if (failed == simdjson::SUCCESS) return;
  const std::string_view characters(reinterpret_cast<const char*>(text.data()), text.size());
  const std::optional<JsonFault> fault = find_json_fault(characters);
  LS_CHECK(kData, fault, "cannot read {}: {}", path, simdjson::error_message(failed));
  LS_THROW(kData, "cannot read {}:{}: not valid JSON: {}", path, to_string(place_in(characters, fault->offset)),
           fault->what);
}

bool parse_json_outline(const std::string& path, simdjson::dom::parser& parser, simdjson::dom::element& root) {
  const std::optional<CocoOutline> outline = read_coco_outline(path, simdjson::SIMDJSON_PADDING);
  if (!outline || outline->removed == 0) return false;
  const std::span text(outline->text.data(), outline->text.size() - simdjson::SIMDJSON_PADDING);
  return parse(text, parser, root) == simdjson::SUCCESS;
}

}  // namespace lockstep
