// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/bad_images.h"

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"

namespace lockstep {

void BadImages::add(std::int64_t image_index, const Error& why) {
  std::lock_guard lock(mutex_);
  if (!messages_.emplace(image_index, why.message()).second) return;
  if (messages_.size() <= limit_) {
    log_warning("data", "{}; another image takes its place ({} of at most {} such files)", why.message(),
                messages_.size(), limit_);
    return;
  }
  constexpr std::size_t kShown = 20;
  std::string list;
  std::size_t shown = 0;
  for (const auto& [index, message] : messages_) {
    if (++shown <= kShown) list += "\n  " + message;
  }
  if (shown > kShown) list += fmt::format("\n  ... and {} more", shown - kShown);
  LS_THROW(
      kData,
      "{} image files cannot be decoded, and at most {} may be replaced by others; repair or remove them, or raise "
      "DATALOADER.MAX_BAD_IMAGES:{}",
      messages_.size(), limit_, list);
}

std::size_t BadImages::count() const {
  std::lock_guard lock(mutex_);
  return messages_.size();
}

}  // namespace lockstep
