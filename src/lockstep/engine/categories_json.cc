// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/categories_json.h"

#include <simdjson.h>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"

namespace lockstep {

std::string categories_to_json(const std::vector<Category>& categories) {
  std::string text = "[";
  for (const Category& category : categories) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("{{\"id\": {}, \"name\": {}}}", category.id, json_quote(category.name));
  }
  return text + "]";
}

std::vector<Category> categories_from_json(const std::string& json, const std::string& source) {
  std::vector<Category> categories;
  try {
    simdjson::dom::parser parser;
    for (const simdjson::dom::element one : parser.parse(json).get_array()) {
      categories.push_back({one["id"].get_int64().value(), std::string(one["name"].get_string().value())});
    }
  } catch (const simdjson::simdjson_error& error) {
    LS_THROW(kData,
             "{}: its list of categories cannot be read ({}); the file is damaged or was not written by Lockstep",
             source, error.what());
  }
  return categories;
}

}  // namespace lockstep
