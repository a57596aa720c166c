// SPDX-License-Identifier: Apache-2.0
// The build without MPI.
#include "lockstep/base/check.h"
#include "lockstep/collective/launched_ranks.h"
#include "lockstep/collective/process_group.h"

namespace lockstep {

std::shared_ptr<ProcessGroup> open_process_group(ProcessGroupCallbacks) {
  const int ranks = launched_ranks();
  LS_CHECK(kUnsupported, ranks <= 1,
           "started as one of {} processes, but this build has no MPI: each would train for itself; install "
           "libopenmpi-dev and build again, or start one process with --workers {}",
           ranks, ranks);
  return nullptr;
}

void abort_process_group(int) {}

std::string mpi_description() { return ""; }

}  // namespace lockstep
