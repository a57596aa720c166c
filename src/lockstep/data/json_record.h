// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/data/json_source.h"

namespace simdjson::dom {
class element;
class parser;
}  // namespace simdjson::dom

namespace lockstep {

// Internal to the readers: one JSON object of an annotation file with typed access, whose errors name the
// file with line and column, the record and what was wanted.
class JsonRecord {
 public:
  // `what` is the kind of record ("annotation"), `list` the array it stands in, `position` its place there.
  // `value` and `source` must outlive the record.
  JsonRecord(const simdjson::dom::element& value, const JsonSource& source, std::string_view what,
             std::string_view list, std::size_t position);

  bool has(const char* key) const;  // present and not null

  // An integer, an integral number or a number in quotes ("324158").
  std::int64_t integer(const char* key) const;
  double number(const char* key) const;
  std::string text(const char* key) const;
  bool flag(const char* key) const;  // true/false or 0/1
  std::array<double, 4> four_numbers(const char* key) const;

  // "annotation 17 (number 5 of 'annotations')", without the id when there is none.
  std::string label() const;
  std::string place(const char* key) const;  // "3:17", of its value or else of the record; empty when unknown
  // The value of `key`; must be there (has).
  simdjson::dom::element value(const char* key) const;
  // Throws kData: the label, " of ", the file with the place of `key`, and the text.
  [[noreturn]] void fail(const char* key, std::string_view found_and_wanted) const;

 private:
  bool find(const char* key, simdjson::dom::element& value) const;
  void require(const char* key, std::string_view wanted, simdjson::dom::element& value) const;

  const simdjson::dom::element& object_;
  const JsonSource& source_;
  std::string_view what_, list_;
  std::size_t position_;
};

// The integer in `value` under the same rules, or nothing.
std::optional<std::int64_t> to_integer(const simdjson::dom::element& value);

// Parses a whole file; `parser` owns what `root` refers to. Throws kIo when it cannot be read and kData, with line and
// column, when it is not JSON.
void parse_json_file(const std::string& path, simdjson::dom::parser& parser, simdjson::dom::element& root);

// The same without the segmentations that are lists, which are [] then (coco_outline.h): several times faster. False
// when this cannot be done, or when it would save nothing; what `root` refers to is undefined then.
bool parse_json_outline(const std::string& path, simdjson::dom::parser& parser, simdjson::dom::element& root);

}  // namespace lockstep
