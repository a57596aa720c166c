// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/json_source.h"

#include "lockstep/base/error.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {

std::string JsonSource::place(std::string_view list, std::optional<std::size_t> position, std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto text = [this] { return std::string_view(reinterpret_cast<const char*>(bytes_.data()), bytes_.size()); };
  if (!tried_) {
    tried_ = true;
    try {
      bytes_ = read_file(path_);
      lists_.emplace(text());
    } catch (const Error&) {
    } catch (const JsonFault&) {
    }
  }
  return lists_ ? to_string(place_in(text(), lists_->offset(list, position, key))) : "";
}

}  // namespace lockstep
