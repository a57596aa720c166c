// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/json_walker.h"

namespace lockstep {

// Lines and columns count from 1; a column is a character, and a byte-order mark is none.
struct TextPlace {
  std::size_t line, column;
};
TextPlace place_in(std::string_view text, std::size_t offset);

// "3:17".
std::string to_string(TextPlace place);

// The first fault of a text that should be JSON, or nothing. Made for the texts that a parser has refused: slower, but
// it knows the place.
std::optional<JsonFault> find_json_fault(std::string_view text);

// Finds values of a JSON object that holds lists of objects, as COCO files do. Goes through the text once. The text
// must be valid, and outlive this.
class JsonLists {
 public:
  explicit JsonLists(std::string_view text);

  // Where the value of `key` in element `position` (from 0) of the list `list` begins; without such a key where the
  // element begins, without such an element the list, without such a list the text.
  std::size_t offset(std::string_view list, std::optional<std::size_t> position = std::nullopt,
                     std::string_view key = "") const;

 private:
  struct List {
    std::string_view key;
    std::size_t offset;                 // of its value
    std::vector<std::size_t> elements;  // offsets
  };
  std::string_view text_;
  std::vector<List> lists_;
};

}  // namespace lockstep
