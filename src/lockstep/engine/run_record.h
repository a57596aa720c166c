// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/engine/checkpoint.h"

namespace lockstep {

// Writes run.json: the command, versions, instruction set, threads, workers, host and time of start (kIo).
void write_run_record(const std::string& path, const std::vector<std::string>& argv, const Numerics& numerics,
                      int workers);

}  // namespace lockstep
