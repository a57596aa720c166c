// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/json_places.h"

namespace lockstep {

// Internal to the readers: a JSON file by its path, and where in it records stand. Parsers do not keep places, so the
// file is read again when the first one is asked for. Thread-safe.
class JsonSource {
 public:
  explicit JsonSource(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  // Line and column, "3:17", of what JsonLists::offset finds; empty when the file has become unreadable.
  std::string place(std::string_view list, std::optional<std::size_t> position = std::nullopt,
                    std::string_view key = "") const;
  // The path with a place behind it.
  std::string at(const std::string& place) const { return place.empty() ? path_ : path_ + ":" + place; }

 private:
  const std::string path_;
  mutable std::mutex mutex_;
  mutable bool tried_ = false;
  mutable std::vector<std::uint8_t> bytes_;
  mutable std::optional<JsonLists> lists_;
};

}  // namespace lockstep
