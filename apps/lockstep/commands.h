// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command_line.h"

namespace lockstep::app {

// One function per command, in the file of its name: adds the command; chosen, it sets program.action.
void add_train_command(CLI::App& app, Program& program);
void add_eval_command(CLI::App& app, Program& program);
void add_predict_command(CLI::App& app, Program& program);
void add_config_command(CLI::App& app, Program& program);
void add_scale_command(CLI::App& app, Program& program);
void add_net_command(CLI::App& app, Program& program);
void add_weights_command(CLI::App& app, Program& program);
void add_simulate_command(CLI::App& app, Program& program);
void add_bench_command(CLI::App& app, Program& program);
void add_new_command(CLI::App& app, Program& program);
void add_data_command(CLI::App& app, Program& program);
void add_synth_command(CLI::App& app, Program& program);
void add_demo_command(CLI::App& app, Program& program);
void add_doctor_command(CLI::App& app, Program& program);
void add_version_command(CLI::App& app, Program& program);

}  // namespace lockstep::app
