// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lockstep/base/check.h"

namespace lockstep {

RunLock::RunLock(const std::string& folder) {
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  LS_CHECK(kIo, descriptor_ >= 0, "cannot open the run directory {}: {}; choose another --out (OUTPUT_DIR)", folder,
           std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);  // the destructor does not run when the constructor throws
  LS_THROW(kConfig, "another training is running in {}; wait until it has ended, or choose another --out (OUTPUT_DIR)",
           folder);
}

RunLock::~RunLock() { ::close(descriptor_); }

}  // namespace lockstep
