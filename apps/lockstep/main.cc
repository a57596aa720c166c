// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <new>
#include <system_error>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/engine/processes.h"
#include "output.h"

namespace lockstep::app {
namespace {

void add_commands(CLI::App& app, Program& program) {
  add_new_command(app, program);
  add_train_command(app, program);
  add_eval_command(app, program);
  add_predict_command(app, program);
  add_config_command(app, program);
  add_scale_command(app, program);
  add_net_command(app, program);
  add_weights_command(app, program);
  add_simulate_command(app, program);
  add_bench_command(app, program);
  add_data_command(app, program);
  add_synth_command(app, program);
  add_demo_command(app, program);
  add_doctor_command(app, program);
  add_version_command(app, program);
}

[[noreturn]] void reject_command(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string> words = app.remaining();
  LS_CHECK(kConfig, !words.empty(), "no command; wanted one of {}; see lockstep --help", join_words(names));
  const std::string nearest = nearest_name(words[0], names);
  LS_THROW(kConfig, "'{}' is no command; {}", words[0],
           nearest.empty() ? "see lockstep --help" : fmt::format("did you mean {}?", nearest));
}

int run(Program& program) {
  CLI::App app("Trains object detectors: one recipe, any number of workers, the same result.", "lockstep");
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.footer("\nlockstep COMMAND --help explains a command and gives an example.");
  bool version = false;
  app.add_flag("--version", version, "as the command version");
  add_commands(app, program);
  try {
    std::vector<std::string> words(program.argv.rbegin(), program.argv.rend() - 1);
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    LS_THROW(kConfig, "{}; see --help of the command", error.what());
  }
  if (version) return run_version(false);
  if (!program.action) reject_command(app);
  return program.action();
}

int report(Program& program, const Error& error) {
  std::string notes;
  for (const std::string& note : error.notes()) notes += "  " + note + "\n";
  if (error.kind() == ErrorKind::kInternal) {
    notes += fmt::format("  at {}:{}; this is a fault of Lockstep, please report it\n", error.where().file_name(),
                         error.where().line());
  }
  program.console.failure(fmt::format("{} error: {}", to_string(error.kind()), error.message()), notes);
  return exit_code(error.kind());
}

int guarded_run(Program& program) {
  // After a failure the other ranks of a job wait for this one: end them all.
  const auto fail = [&](const Error& error) {
    const int code = report(program, error);
    abort_process_group(code);
    return code;
  };
  try {
    return run(program);
  } catch (const Error& error) {
    return fail(error);
  } catch (const std::bad_alloc&) {
    return fail(Error(ErrorKind::kDevice,
                      "out of memory; use smaller images (INPUT.MIN_SIZE_TRAIN), fewer --workers or "
                      "SOLVER.IMS_PER_MICRO_BATCH 1"));
  } catch (const std::system_error& error) {
    return fail(Error(ErrorKind::kDevice,
                      fmt::format("the system refused a thread or a resource: {}; use fewer --workers, or free memory",
                                  error.what())));
  } catch (const std::exception& error) {
    return fail(Error(ErrorKind::kInternal, error.what()));
  }
}

}  // namespace
}  // namespace lockstep::app

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write, not the end of the program
  lockstep::app::Program program;
  program.argv.assign(argv, argv + argc);
  return lockstep::app::guarded_run(program);
}
