// SPDX-License-Identifier: Apache-2.0
// Scales recipes read from stdin, for tools/scaling_oracle.py. A line holds: rule (detectron2, or exact with its
// LR_SCALING as in exact/sqrt), workers, REFERENCE_WORLD_SIZE, IMS_PER_BATCH, BASE_LR, BASE_LR_END, MAX_ITER,
// WARMUP_ITERS, EVAL_PERIOD, CHECKPOINT_PERIOD and any number of STEPS. It is answered by the scaled values in the same
// order from REFERENCE_WORLD_SIZE on, or by "error".
#include <fmt/core.h>

#include <iostream>
#include <sstream>

#include "lockstep/base/error.h"
#include "lockstep/base/log.h"
#include "lockstep/config/scaling.h"

namespace lockstep {
namespace {

struct Case {
  ConfigPtr config;
  int workers = 0;
};

std::int64_t next_whole(std::istream& line) {
  std::int64_t value = 0;
  line >> value;
  return value;
}

double next_number(std::istream& line) {
  std::string text;  // hexadecimal floats, which streams do not read
  line >> text;
  return std::stod(text);
}

Case read_case(const std::string& text) {
  std::istringstream line(text);
  auto config = std::make_shared<Config>();
  SolverConfig& solver = config->solver;
  Case result;
  line >> solver.scaling >> result.workers;
  if (const std::size_t slash = solver.scaling.find('/'); slash != std::string::npos) {
    solver.lr_scaling = solver.scaling.substr(slash + 1);
    solver.scaling.resize(slash);
  }
  solver.reference_world_size = next_whole(line);
  solver.ims_per_batch = next_whole(line);
  solver.base_lr = next_number(line);
  solver.base_lr_end = next_number(line);
  solver.max_iter = next_whole(line);
  solver.warmup_iters = next_whole(line);
  config->test.eval_period = next_whole(line);
  solver.checkpoint_period = next_whole(line);
  solver.steps.clear();
  for (std::int64_t step = 0; line >> step;) solver.steps.emplace_back(step);
  result.config = std::move(config);
  return result;
}

std::string answer(const Case& question) {
  ConfigPtr scaled;
  try {
    scaled = scale_recipe(question.config, question.workers).config;
  } catch (const Error&) {
    return "error";
  }
  const SolverConfig& solver = scaled->solver;
  std::string text = fmt::format("{} {} {:a} {:a} {} {} {} {}", solver.reference_world_size, solver.ims_per_batch,
                                 solver.base_lr, solver.base_lr_end, solver.max_iter, to_string(solver.warmup_iters),
                                 to_string(scaled->test.eval_period), to_string(solver.checkpoint_period));
  for (const TrainingTime& step : solver.steps) text += " " + to_string(step);
  return text;
}

}  // namespace
}  // namespace lockstep

int main() {
  lockstep::set_log_sink([](lockstep::LogLevel, std::string_view, std::string_view) {});
  for (std::string line; std::getline(std::cin, line);)
    std::cout << lockstep::answer(lockstep::read_case(line)) << "\n";
  return 0;
}
