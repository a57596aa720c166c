// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.h"

namespace lockstep::app {

// The commands below `lockstep bench`, in the files of their names.
void add_bench_step_command(CLI::App& bench, Program& program);
void add_bench_all_reduce_command(CLI::App& bench, Program& program);
void add_bench_loader_command(CLI::App& bench, Program& program);
void add_bench_data_command(CLI::App& bench, Program& program);

// Half of the values are at most this; 0 for none.
double median(std::vector<double> values);

}  // namespace lockstep::app
