// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockstep {

// Keeps a second trainer, of this process or another, out of a run directory while it lives. The lock is on the folder
// itself: it leaves no file, and it ends with the process, however that ends.
class RunLock {
 public:
  // kConfig when somebody else trains in `folder`. A file system that cannot lock is accepted without a lock.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace lockstep
