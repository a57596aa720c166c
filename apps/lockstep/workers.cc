// SPDX-License-Identifier: Apache-2.0
#include "workers.h"

#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"

namespace lockstep::app {

int WorkerArguments::count() const {
  LS_CHECK(kConfig, threads >= 1, "--threads is {}; wanted at least 1", threads);
  LS_CHECK(kConfig, !workers || *workers >= 1, "--workers is {}; wanted at least 1", *workers);
  return workers ? *workers : std::max(1, available_cpus().cores / threads);
}

void add_worker_flags(CLI::App& command, WorkerArguments& arguments) {
  command.add_option("--workers", arguments.workers, "images at once; default: the cores");
  command.add_option("--threads", arguments.threads, "compute threads of each (1)");
}

}  // namespace lockstep::app
