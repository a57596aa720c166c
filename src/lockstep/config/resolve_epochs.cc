// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/resolve_epochs.h"

#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

constexpr const char* kMaxIter = "SOLVER.MAX_ITER";
constexpr const char* kMaxEpochs = "SOLVER.MAX_EPOCHS";

std::int64_t iterations_of(const char* path, double epochs, double iterations_per_epoch) {
  constexpr double kMost = 1e9;
  const double iterations = std::nearbyint(epochs * iterations_per_epoch);
  LS_CHECK(kConfig, iterations <= kMost, "{}: found {} epochs of {:.1f} iterations, wanted at most {:.0f} iterations",
           path, epochs, iterations_per_epoch, kMost);
  return epochs > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(iterations)) : 0;
}

}  // namespace

std::vector<std::string> keys_in_epochs(const Config& config) {
  std::vector<std::string> keys;
  if (config.solver.max_epochs > 0) keys.emplace_back(kMaxEpochs);
  visit_training_times(config, [&](const char* path, const TrainingTime& time) {
    if (time.in_epochs() && (keys.empty() || keys.back() != path)) keys.emplace_back(path);
  });
  return keys;
}

std::string training_length_problem(const Config& config) {
  const SolverConfig& solver = config.solver;
  if (solver.max_epochs == 0 || solver.max_iter == 0 || !config.is_set(kMaxIter)) return {};
  return fmt::format(
      "{}: found {} with {} {}, wanted one length of the training; set {} 0 to count epochs, or {} 0 to "
      "count iterations",
      kMaxEpochs, solver.max_epochs, kMaxIter, solver.max_iter, kMaxIter, kMaxEpochs);
}

Config resolve_epochs(const Config& config, std::int64_t images) {
  LS_ASSERT(images >= 1, "found {} images, wanted at least 1", images);
  const std::string problem = training_length_problem(config);
  LS_CHECK(kConfig, problem.empty(), "{}", problem);
  Config resolved = config;
  SolverConfig& solver = resolved.solver;
  const double iterations_per_epoch = static_cast<double>(images) / static_cast<double>(solver.ims_per_batch);
  if (solver.max_epochs > 0) {
    solver.max_iter = iterations_of(kMaxEpochs, solver.max_epochs, iterations_per_epoch);
    solver.max_epochs = 0;
    resolved.set_keys.insert(kMaxIter);
  }
  visit_training_times(resolved, [&](const char* path, TrainingTime& time) {
    if (time.in_epochs()) time = iterations_of(path, time.epochs(), iterations_per_epoch);
  });
  return resolved;
}

}  // namespace lockstep
