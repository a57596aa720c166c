// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "lockstep/base/check.h"

namespace lockstep::app {

void print(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  LS_CHECK(kIo, written == text.size() && std::fflush(stdout) == 0, "cannot write to stdout: {}", std::strerror(errno));
}

}  // namespace lockstep::app
