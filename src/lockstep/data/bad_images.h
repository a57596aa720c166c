// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "lockstep/base/error.h"

namespace lockstep {

// Remembers which image files could not be decoded. Each file counts once, however often it comes up.
// Thread-safe.
class BadImages {
 public:
  // More than `limit` files (DATALOADER.MAX_BAD_IMAGES) end the run.
  explicit BadImages(std::size_t limit) : limit_(limit) {}

  // Logs a file the first time. Throws kData with the list of files when it is one too many.
  void add(std::int64_t image_index, const Error& why);

  std::size_t count() const;

 private:
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::string> messages_;
};

}  // namespace lockstep
