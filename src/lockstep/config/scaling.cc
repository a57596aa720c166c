// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scaling.h"

#include <algorithm>
#include <limits>

#include "lockstep/base/check.h"
#include "lockstep/config/exact_scaling.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/scaled_keys.h"
#include "lockstep/config/scaled_settings.h"

namespace lockstep {
namespace {

ExactScaling exactly(const ReferenceRecipe& reference, std::int64_t workers, const std::string& lr_scaling) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  LS_CHECK(kConfig, reference.world_size <= kMost, "SOLVER.REFERENCE_WORLD_SIZE: found {}, wanted at most {}",
           reference.world_size, kMost);
  require_divisible_batch(reference, reference.world_size);
  return scale_exactly(reference, {workers, reference.world_size}, lr_scaling);
}

// A scaled recipe that was edited contradicts the reference that it holds; one of the two must give way.
void require_unchanged(const Config& config, const ReferenceRecipe& reference) {
  const SolverConfig& solver = config.solver;
  Config expected = config;
  apply_settings(exactly(reference, solver.reference_world_size, solver.lr_scaling).settings, expected);
  std::string text;
  for (const ScaledKey& key : kScaledKeys) {
    const Value wanted = find_key(key.path)->get(expected);
    const Value found = find_key(key.path)->get(config);
    if (found == wanted) continue;
    text += fmt::format("\n  {}: found {}, wanted {}", key.path, to_flow_yaml(found), to_flow_yaml(wanted));
  }
  LS_CHECK(
      kConfig, text.empty(),
      "this recipe was changed after it was scaled to {} workers; SOLVER.REFERENCE, the recipe for {} workers that "
      "it holds, gives (SOLVER.LR_SCALING {}):{}\nchange the values under SOLVER.REFERENCE, or set "
      "SOLVER.REFERENCE.WORLD_SIZE 0 to make this recipe the reference",
      solver.reference_world_size, reference.world_size, solver.lr_scaling, text);
}

ReferenceRecipe reference_of(const Config& config) {
  const SolverConfig& solver = config.solver;
  if (solver.reference.world_size == 0) return {settings_of(config), solver.reference_world_size};
  require_unchanged(config, solver.reference);
  return solver.reference;
}

ConfigPtr with(const Config& config, const ScaledSettings& settings, std::int64_t workers,
               const ReferenceRecipe& reference) {
  auto scaled = std::make_shared<Config>(config);
  apply_settings(settings, *scaled);
  scaled->solver.reference_world_size = workers;
  scaled->solver.reference = workers == reference.world_size ? ReferenceRecipe{} : reference;
  return scaled;
}

}  // namespace

ScaledRecipe scale_recipe(const ConfigPtr& config, int num_workers) {
  require_workers(num_workers);
  const SolverConfig& solver = config->solver;
  const std::int64_t old = solver.reference_world_size;
  if (old == 0 || old == num_workers) return {config, config, {}};
  if (solver.scaling == "detectron2") return {config, auto_scale_workers(config, num_workers), {}};
  const ReferenceRecipe reference = reference_of(*config);
  ConfigPtr source = with(*config, reference, reference.world_size, reference);
  if (num_workers == reference.world_size) return {source, source, {}};
  ExactScaling scaled = exactly(reference, num_workers, solver.lr_scaling);
  return {std::move(source), with(*config, scaled.settings, num_workers, reference), std::move(scaled.remarks)};
}

std::vector<std::string> rounding_losses(const ScaledRecipe& recipe) {
  const ScaledSettings before = settings_of(*recipe.reference);
  const ScaledSettings after = settings_of(*recipe.config);
  std::vector<std::string> losses;
  const auto kept = [&](const char* path, const TrainingTime& from, const TrainingTime& to) {
    if (!from.is_zero() && to.is_zero()) losses.push_back(fmt::format("{}: {} became 0", path, to_string(from)));
  };
  kept("SOLVER.MAX_ITER", before.max_iter, after.max_iter);
  kept("SOLVER.WARMUP_ITERS", before.warmup_iters, after.warmup_iters);
  kept("SOLVER.CHECKPOINT_PERIOD", before.checkpoint_period, after.checkpoint_period);
  kept("TEST.EVAL_PERIOD", before.eval_period, after.eval_period);
  kept("SOLVER.STEP_SIZE", before.step_size, after.step_size);
  if (before.steps.size() != after.steps.size()) return losses;  // only exact scaling leaves some out
  for (std::size_t i = 0; i < before.steps.size(); ++i) {
    const std::int64_t from = before.steps[i].iterations();
    const std::int64_t to = after.steps[i].iterations();
    kept("SOLVER.STEPS", before.steps[i], after.steps[i]);
    if (from < before.max_iter && to >= after.max_iter) {
      losses.push_back(fmt::format("SOLVER.STEPS: {} became {}, at or past MAX_ITER {}, and has no effect", from, to,
                                   after.max_iter));
    }
    if (i > 0 && before.steps[i - 1].iterations() < from && after.steps[i - 1].iterations() >= to) {
      losses.push_back(
          fmt::format("SOLVER.STEPS: {} and {} both became {}", before.steps[i - 1].iterations(), from, to));
    }
  }
  return losses;
}

void check_rounding(const ScaledRecipe& recipe) {
  std::string text;
  for (const std::string& loss : rounding_losses(recipe)) text += "\n  " + loss;
  LS_CHECK(kConfig, text.empty(),
           "scaling this recipe from {} to {} workers loses parts of it:{}\nset SOLVER.SCALING exact, which keeps "
           "them while each has an iteration of its own, or use fewer workers",
           recipe.reference->solver.reference_world_size, recipe.config->solver.reference_world_size, text);
}

std::string learning_rate_warning(const ScaledRecipe& recipe) {
  constexpr double kKnownToHold = 4;
  constexpr std::int64_t kUsualWarmUp = 1000;  // Detectron2's default, for recipes without one
  const SolverConfig& before = recipe.reference->solver;
  const SolverConfig& after = recipe.config->solver;
  if (before.base_lr <= 0 || after.base_lr / before.base_lr <= kKnownToHold) return {};
  // The warm-up has fewer iterations after scaling, while the rate that it leads to is higher.
  const std::int64_t usual = before.warmup_iters.is_zero() ? kUsualWarmUp : before.warmup_iters.iterations();
  const std::int64_t proposed = std::max(after.warmup_iters.iterations(), std::min(usual, after.max_iter / 4));
  const std::string advice =
      proposed > after.warmup_iters.iterations()
          ? fmt::format("try a longer warm-up, SOLVER.WARMUP_ITERS {} of {} iterations", proposed, after.max_iter)
      : after.warmup_iters.is_zero() ? std::string("the training is too short for a warm-up; try fewer workers")
                                     : std::string("the warm-up is long already; try fewer workers");
  return fmt::format(
      "SOLVER.BASE_LR {} is {:.3g} times the rate {} that the recipe was made with, and scaled rates are "
      "known to hold up to {} times; {}, or SOLVER.LR_SCALING sqrt with SOLVER.SCALING exact",
      after.base_lr, after.base_lr / before.base_lr, before.base_lr, kKnownToHold, advice);
}

}  // namespace lockstep
