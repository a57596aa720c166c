// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "lockstep/base/cancel_token.h"

namespace lockstep {

// While it lives, the first SIGINT or SIGTERM asks `token` to stop and the second one ends the process at once with
// exit code 128 + signal. Several may live at a time: the first signal asks all of them. The library makes one only
// when it is asked to.
class StopOnSignal {
 public:
  // kInternal when kMost live already.
  explicit StopOnSignal(CancelToken& token);
  ~StopOnSignal();  // with the last one the signals act as before
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  static constexpr std::size_t kMost = 16;
  // The first signal's number, 0 when none came since the first of those that live was made.
  static int received();

 private:
  std::size_t slot_;
};

}  // namespace lockstep
