// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/graph/schema.h"

namespace lockstep {

// The operators that a net may use, by type. Filled explicitly (ops/catalog.cc), never by static initialisers.
class OpCatalog {
 public:
  void add(OpSchema schema);                          // internal error when the type is there already
  const OpSchema& find(std::string_view type) const;  // kGraph, with the nearest type, when there is none
  bool has(std::string_view type) const;
  std::vector<std::string> types() const;  // sorted

 private:
  std::map<std::string, OpSchema, std::less<>> schemas_;
};

}  // namespace lockstep
