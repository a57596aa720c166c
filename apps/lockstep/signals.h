// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/engine/trainer.h"

namespace lockstep::app {

// While it lives, the first SIGINT or SIGTERM asks `token` to stop and the second one ends the process at once.
// One at a time.
class StopOnSignal {
 public:
  explicit StopOnSignal(CancelToken& token);
  ~StopOnSignal();  // the signals act as before
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  static int received();  // the signal's number, 0 when none came
};

}  // namespace lockstep::app
