// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "console.h"
#include "lockstep/engine/processes.h"

namespace lockstep::app {

// One run of the program.
struct Program {
  std::vector<std::string> argv;
  Console console;
  std::function<int()> action;  // of the command that was chosen; gives the exit code
  // Of an MPI job, else null. Outlives every error: a group that is let go waits for its other ranks.
  std::shared_ptr<ProcessGroup> processes;
};

// How a command presents itself in --help.
struct CommandText {
  std::string name;
  std::string summary;
  std::string form;     // "train --config-file F [KEY VALUE ...]"
  std::string example;  // a whole command line
};

// Adds a command with --help. Arguments that are no flags of it are left for free_arguments.
CLI::App& add_command(CLI::App& parent, const CommandText& text);

// --json, with the one meaning it has everywhere.
void add_json_flag(CLI::App& command, bool& json);

// What stands on the command line of a command besides its flags: KEY VALUE pairs, files, folders. kConfig for a flag
// that the command does not have, with the nearest one, or the form that Detectron2's flag has here.
std::vector<std::string> free_arguments(const CLI::App& command);

// kConfig when arguments are left that the command has no use for.
void require_no_arguments(const CLI::App& command);

}  // namespace lockstep::app
