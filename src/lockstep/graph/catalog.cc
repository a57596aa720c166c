// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/catalog.h"

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"

namespace lockstep {

void OpCatalog::add(OpSchema schema) {
  const std::string type = schema.type();
  LS_ASSERT(schemas_.emplace(type, std::move(schema)).second, "operator {} stands twice in the catalog", type);
}

const OpSchema& OpCatalog::find(std::string_view type) const {
  const auto found = schemas_.find(type);
  if (found == schemas_.end()) {
    const std::string nearest = nearest_name(type, types());
    LS_THROW(kGraph, "operator type '{}' does not exist{}", type,
             nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return found->second;
}

bool OpCatalog::has(std::string_view type) const { return schemas_.find(type) != schemas_.end(); }

std::vector<std::string> OpCatalog::types() const {
  std::vector<std::string> all;
  for (const auto& [type, schema] : schemas_) all.push_back(type);
  return all;
}

}  // namespace lockstep
