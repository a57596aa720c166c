// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "commands.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/config/load.h"
#include "output.h"
#include "recipes.h"
#include "remarks.h"
#include "training.h"

namespace lockstep::app {
namespace {

struct TrainArguments {
  std::string recipe;
  std::string out;
  std::string resume;  // empty, "true" (the bare flag), "auto" or a run directory
  std::optional<int> workers;
  int threads = 1;
  std::string trace;  // empty or "steps=FIRST:LAST"
  bool overwrite = false;
  bool check = false;
  bool allow_different_numerics = false;
  bool json = false;
};

ResumeMode resume_mode(const std::string& resume) {
  if (resume.empty()) return ResumeMode::kNever;
  return resume == "auto" ? ResumeMode::kAuto : ResumeMode::kRequire;
}

// --resume=DIR and --resume --out DIR take the recipe from DIR.
Config config_of(const TrainArguments& arguments, const std::vector<std::string>& overrides) {
  const bool names_run = resume_mode(arguments.resume) == ResumeMode::kRequire && arguments.resume != "true";
  const std::string run = names_run ? arguments.resume : arguments.out;
  Config config;
  if (resume_mode(arguments.resume) == ResumeMode::kRequire && arguments.recipe.empty()) {
    LS_CHECK(kConfig, !run.empty(), "--resume: which run? Name it by --resume=DIR, or give --config-file");
    const std::string file = (std::filesystem::path(run) / "config.yaml").string();
    LS_CHECK(kConfig, std::filesystem::exists(file), "--resume: {} holds no run (there is no {})", run, file);
    config = load_config(file, overrides);
    log_notices("recipe", config);
  } else {
    config = load_recipe(arguments.recipe, overrides);
  }
  if (!run.empty()) {
    config.output_dir = run;
    config.set_keys.insert("OUTPUT_DIR");
  }
  return config;
}

TrainerOptions options_of(const TrainArguments& arguments, const std::vector<std::string>& argv) {
  LS_CHECK(kConfig, !arguments.workers || *arguments.workers >= 1, "--workers is {}; wanted at least 1",
           *arguments.workers);
  LS_CHECK(kConfig, arguments.resume.empty() || !arguments.overwrite, "--resume and --overwrite exclude each other");
  TrainerOptions options;
  options.workers = arguments.workers.value_or(0);
  options.threads = arguments.threads;
  options.resume = resume_mode(arguments.resume);
  options.overwrite = arguments.overwrite;
  options.allow_different_numerics = arguments.allow_different_numerics;
  options.check_only = arguments.check;
  if (!arguments.trace.empty()) options.trace = parse_step_range(arguments.trace);
  options.argv = argv;
  return options;
}

std::string json_of(const TrainingOutcome& outcome, const std::string& run) {
  std::string text = fmt::format("{{\"result\": \"{}\", \"step\": {}, \"run\": {}, \"digest\": \"{}\"",
                                 outcome.result == TrainResult::kFinished ? "finished" : "stopped", outcome.step,
                                 json_quote(run), outcome.digest);
  if (outcome.evaluation) {
    const auto& stats = outcome.evaluation->stats;
    text += fmt::format(", \"AP\": {}, \"AP50\": {}", stats[0] < 0 ? "null" : json_number(stats[0]),
                        stats[1] < 0 ? "null" : json_number(stats[1]));
  }
  return text + "}\n";
}

// As a rank of an MPI job.
void join_processes(const Config& config, Program& program) {
  ProcessGroupCallbacks callbacks;
  callbacks.on_lost = [&program, log_file = log_file_of(config)](const Error& cause, const std::string& pending) {
    // Rank 0 may be the one that is lost, so whoever sees it writes into the log.
    program.console.lost_rank(fmt::format("{} error: {}", to_string(cause.kind()), cause.message()), pending, log_file);
  };
  program.processes = open_process_group(std::move(callbacks));
}

int run(const TrainArguments& arguments, const std::vector<std::string>& overrides, Program& program) {
  TrainerOptions options = options_of(arguments, program.argv);
  const Config config = config_of(arguments, overrides);
  join_processes(config, program);
  options.processes = program.processes;
  if (arguments.check) {
    const Trainer checked(config, options);
    print(arguments.json ? "{\"result\": \"checked\"}\n" : "checked: data, nets and run directory are good\n");
    return 0;
  }
  const TrainingOutcome outcome = run_training(config, options, program.console);
  if (!outcome.is_first) return outcome.exit_code();
  if (arguments.json) {
    print(json_of(outcome, config.output_dir));
  } else {
    print(fmt::format("{}run {}\nstep {}\ndigest {}\n", outcome.evaluation ? outcome.evaluation->table + "\n" : "",
                      config.output_dir, outcome.step, outcome.digest));
  }
  return outcome.exit_code();
}

}  // namespace

void add_train_command(CLI::App& app, Program& program) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App& command = add_command(
      app, {"train", "Train a detector from a recipe", "train --config-file F|@NAME [flags] [KEY VALUE ...]",
            "lockstep train --config-file @demo --workers 2 --out run/first DATASETS.TRAIN run/shapes DATASETS.TEST "
            "run/shapes"});
  command.add_option("--config-file", arguments->recipe,
                     "the recipe: a file, or @NAME for one shipped with the program");
  command.add_option("--workers", arguments->workers,
                     "replicas of the model; default: the smaller of the micro-batches of a step and the cores");
  command.add_option("--threads", arguments->threads,
                     "compute threads of each worker (1); part of what decides the bits");
  command.add_option("--out", arguments->out, "run directory (OUTPUT_DIR)");
  command.add_flag(
      "--resume", arguments->resume,
      "go on with the run in --out, --resume=DIR with the one in DIR; --resume=auto: start if there is none");
  command.add_option("--trace", arguments->trace,
                     "steps=FIRST:LAST: what every lane did in these steps, for chrome://tracing and Perfetto");
  command.add_flag("--overwrite", arguments->overwrite, "replace the run in --out");
  command.add_flag("--check", arguments->check, "check data, nets and run directory, and train nothing");
  command.add_flag("--allow-different-numerics", arguments->allow_different_numerics,
                   "resume although the build, instruction set or threads differ: not bit for bit");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] { return run(*arguments, free_arguments(command), program); };
  });
}

}  // namespace lockstep::app
