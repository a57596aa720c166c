// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/weights.h"

#include <set>

#include "lockstep/base/check.h"

namespace lockstep {

WeightMatch match_weights(const SafetensorsFile& file, const std::vector<WantedTensor>& wanted) {
  WeightMatch match;
  match.file = file.path().string();
  std::set<std::string> names;
  for (const WantedTensor& want : wanted) {
    LS_ASSERT(names.insert(want.name).second, "tensor '{}' is wanted twice", want.name);
    const SafetensorsEntry* entry = file.find(want.name);
    if (entry == nullptr) {
      match.missing.push_back(want.name);
    } else if (entry->shape != want.shape) {
      match.other_shape.push_back({want.name, want.shape, entry->shape});
    } else {
      match.loaded.push_back(want.name);
    }
  }
  for (const SafetensorsEntry& entry : file.entries()) {
    if (!names.contains(entry.name)) match.unused.push_back(entry.name);
  }
  return match;
}

std::string WeightMatch::text() const {
  std::string text = fmt::format("weights file '{}': {} loaded, {} missing, {} unused, {} of another shape\n", file,
                                 loaded.size(), missing.size(), unused.size(), other_shape.size());
  for (const ShapeMismatch& entry : other_shape) {
    text += fmt::format("  other shape  {}: the model wants {}, the file has {}\n", entry.name, to_string(entry.wanted),
                        to_string(entry.found));
  }
  for (const std::string& name : missing) text += fmt::format("  missing      {}\n", name);
  for (const std::string& name : unused) text += fmt::format("  unused       {}\n", name);
  return text;
}

}  // namespace lockstep
