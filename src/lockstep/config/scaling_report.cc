// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scaling_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "lockstep/config/exact_scaling.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/scaled_keys.h"
#include "lockstep/config/value.h"

namespace lockstep {
namespace {

bool is_exact(const ScaledRecipe& recipe) { return recipe.config->solver.scaling == "exact"; }

// The learning rates and times that auto_scale_workers leaves alone.
bool is_scaled(const ScaledRecipe& recipe, std::string_view path) {
  return is_exact(recipe) || (path != "SOLVER.BASE_LR_END" && path != "SOLVER.LRS" && path != "SOLVER.STEP_SIZE");
}

ExactRatio growth_of(const ScaledRecipe& recipe) {
  const std::int64_t from = recipe.reference->solver.reference_world_size;
  if (from == 0) return {};
  return {recipe.config->solver.reference_world_size, from};
}

double rate_factor(const ScaledRecipe& recipe) {
  const std::string& rule = recipe.config->solver.lr_scaling;
  return learning_rate_factor(is_exact(recipe) ? rule : "linear", growth_of(recipe));
}

std::string exact_text(const Value& value, ScaledKeyKind kind, const ScaledRecipe& recipe) {
  if (const auto* list = std::get_if<Value::List>(&value.data)) {
    std::string text;
    for (const Value& item : *list) text += (text.empty() ? "" : ", ") + exact_text(item, kind, recipe);
    return "[" + text + "]";
  }
  const ExactRatio growth = growth_of(recipe);
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    return product_text(*whole, kind == ScaledKeyKind::kBatch ? growth : growth.inverse());
  }
  return fmt::format("{:.10g}", std::get<double>(value.data) * rate_factor(recipe));
}

// "x 3", "/ 3" or "x 3/8".
std::string factor_text(const ExactRatio& ratio) {
  const std::int64_t common = std::gcd(ratio.numerator, ratio.denominator);
  const std::int64_t top = ratio.numerator / common;
  const std::int64_t bottom = ratio.denominator / common;
  if (bottom == 1) return fmt::format("x {}", top);
  return top == 1 ? fmt::format("/ {}", bottom) : fmt::format("x {}/{}", top, bottom);
}

std::string rule_text(const ScaledKey& key, const ScaledRecipe& recipe) {
  const ExactRatio growth = growth_of(recipe);
  if (growth.numerator == growth.denominator) return "as it is";
  if (!is_scaled(recipe, key.path)) return "not scaled by detectron2";
  if (key.kind == ScaledKeyKind::kBatch) return factor_text(growth);
  if (key.kind == ScaledKeyKind::kTime) return factor_text(growth.inverse()) + (is_exact(recipe) ? ", at least 1" : "");
  const std::string& rule = recipe.config->solver.lr_scaling;
  if (!is_exact(recipe) || rule == "linear") return factor_text(growth);
  return rule == "sqrt" ? "square root of " + factor_text(growth) : "LR_SCALING none";
}

}  // namespace

std::vector<ScalingRow> scaling_rows(const ScaledRecipe& recipe) {
  std::vector<ScalingRow> rows;
  for (const ScaledKey& key : kScaledKeys) {
    const Value before = find_key(key.path)->get(*recipe.reference);
    const std::string reference = to_flow_yaml(before);
    rows.push_back({key.path, reference, to_flow_yaml(find_key(key.path)->get(*recipe.config)),
                    is_scaled(recipe, key.path) ? exact_text(before, key.kind, recipe) : reference,
                    rule_text(key, recipe)});
  }
  return rows;
}

ScheduleTotals schedule_totals(const Config& config, std::optional<std::int64_t> training_images) {
  const SolverConfig& solver = config.solver;
  const std::int64_t period = solver.checkpoint_period.iterations();
  ScheduleTotals totals;
  totals.images = solver.max_iter * solver.ims_per_batch;
  totals.warmup_images = std::min(solver.warmup_iters.iterations(), solver.max_iter) * solver.ims_per_batch;
  totals.checkpoints = period > 0 ? (solver.max_iter + period - 1) / period : 1;
  if (training_images) totals.epochs = static_cast<double>(totals.images) / static_cast<double>(*training_images);
  return totals;
}

}  // namespace lockstep
