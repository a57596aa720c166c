// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/graph/blob.h"

namespace lockstep {

// Owns the blobs that nets read and write. Creating and removing blobs is not safe while a net runs;
// nets hold references to their blobs from the time they are made.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  Blob& create(const std::string& name);  // the existing blob when there is one
  bool has(std::string_view name) const;
  Blob& get(std::string_view name);  // kGraph, with the nearest name, when there is none
  const Blob& get(std::string_view name) const;
  void remove(std::string_view name);      // kGraph when there is none
  void reset() { blobs_.clear(); }         // removes all blobs; nets made before must not run any more
  std::vector<std::string> names() const;  // sorted

  void feed(const std::string& name, const Tensor& value);  // creates the blob; copies
  const Tensor& fetch(std::string_view name) const { return get(name).tensor(); }

 private:
  std::map<std::string, std::unique_ptr<Blob>, std::less<>> blobs_;
};

}  // namespace lockstep
