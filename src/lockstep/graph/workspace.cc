// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/workspace.h"

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"

namespace lockstep {

Blob& Workspace::create(const std::string& name) {
  LS_CHECK(kGraph, !name.empty(), "a blob needs a name");
  std::unique_ptr<Blob>& blob = blobs_[name];
  if (!blob) blob = std::make_unique<Blob>();
  return *blob;
}

bool Workspace::has(std::string_view name) const { return blobs_.find(name) != blobs_.end(); }

const Blob& Workspace::get(std::string_view name) const {
  const auto found = blobs_.find(name);
  if (found == blobs_.end()) {
    const std::string nearest = nearest_name(name, names());
    LS_THROW(kGraph, "blob '{}' does not exist in the workspace{}", name,
             nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return *found->second;
}

Blob& Workspace::get(std::string_view name) { return const_cast<Blob&>(std::as_const(*this).get(name)); }

void Workspace::remove(std::string_view name) {
  get(name);
  blobs_.erase(blobs_.find(name));
}

std::vector<std::string> Workspace::names() const {
  std::vector<std::string> all;
  for (const auto& [name, blob] : blobs_) all.push_back(name);
  return all;
}

void Workspace::feed(const std::string& name, const Tensor& value) { create(name).tensor().copy_from(value); }

}  // namespace lockstep
