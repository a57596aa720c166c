// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

namespace lockstep::app {

// --workers and --threads of the commands that detect.
struct WorkerArguments {
  std::optional<int> workers;
  int threads = 1;
  // The workers asked for, else one per core. kConfig for a count below 1.
  int count() const;
};
void add_worker_flags(CLI::App& command, WorkerArguments& arguments);

}  // namespace lockstep::app
