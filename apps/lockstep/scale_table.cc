// SPDX-License-Identifier: Apache-2.0
#include "scale_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "lockstep/base/json_text.h"
#include "lockstep/config/scaling_report.h"

namespace lockstep::app {
namespace {

using Row = std::vector<std::string>;
using Images = std::optional<std::int64_t>;

std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}", row[c], widths[c] + 2);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string epochs_text(const ScheduleTotals& totals) {
  return totals.epochs ? fmt::format("{:.2f}", *totals.epochs) : "not known";
}

// "images seen" and the like: the reference first, then every recipe.
void add_totals(std::vector<Row>& rows, const std::vector<ScaledRecipe>& recipes, Images training_images) {
  std::vector<ScheduleTotals> columns = {schedule_totals(*recipes.front().reference, training_images)};
  for (const ScaledRecipe& recipe : recipes) columns.push_back(schedule_totals(*recipe.config, training_images));
  Row images = {"images seen"}, epochs = {"epochs"}, warmup = {"warm-up images"}, checkpoints = {"checkpoints kept"};
  for (const ScheduleTotals& totals : columns) {
    images.push_back(std::to_string(totals.images));
    epochs.push_back(epochs_text(totals));
    warmup.push_back(std::to_string(totals.warmup_images));
    checkpoints.push_back(std::to_string(totals.checkpoints));
  }
  rows.insert(rows.end(), {{}, images, epochs, warmup, checkpoints});
}

std::string json_texts(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_quote(text);
  return "[" + list + "]";
}

std::string json_recipe(const ScaledRecipe& recipe, Images training_images) {
  std::string keys;
  for (const ScalingRow& row : scaling_rows(recipe)) {
    keys += fmt::format("{}{{\"key\": {}, \"reference\": {}, \"scaled\": {}, \"exact\": {}, \"rule\": {}}}",
                        keys.empty() ? "" : ", ", json_quote(row.path), json_quote(row.reference),
                        json_quote(row.scaled), json_quote(row.exact), json_quote(row.rule));
  }
  const ScheduleTotals totals = schedule_totals(*recipe.config, training_images);
  return fmt::format(
      "{{\"workers\": {}, \"keys\": [{}], \"images\": {}, \"epochs\": {}, \"warmup_images\": {}, \"checkpoints\": {}, "
      "\"remarks\": {}}}",
      recipe.config->solver.reference_world_size, keys, totals.images,
      totals.epochs ? json_number(*totals.epochs) : "null", totals.warmup_images, totals.checkpoints,
      json_texts(scale_remarks(recipe)));
}

}  // namespace

std::string workers_text(std::int64_t workers) { return fmt::format("{} worker{}", workers, workers == 1 ? "" : "s"); }

std::string scale_table(const std::vector<ScaledRecipe>& recipes, Images training_images) {
  const bool is_single = recipes.size() == 1;
  Row header = {"", "made for " + workers_text(recipes.front().reference->solver.reference_world_size)};
  for (const ScaledRecipe& recipe : recipes) header.push_back(workers_text(recipe.config->solver.reference_world_size));
  if (is_single) header.insert(header.end(), {"before rounding", "rule"});
  std::vector<Row> rows = {std::move(header)};
  std::vector<std::vector<ScalingRow>> columns;
  for (const ScaledRecipe& recipe : recipes) columns.push_back(scaling_rows(recipe));
  for (std::size_t key = 0; key < columns.front().size(); ++key) {
    Row row = {columns.front()[key].path, columns.front()[key].reference};
    for (const auto& column : columns) row.push_back(column[key].scaled);
    if (is_single) row.insert(row.end(), {columns.front()[key].exact, columns.front()[key].rule});
    rows.push_back(std::move(row));
  }
  add_totals(rows, recipes, training_images);
  return aligned(rows);
}

std::string scale_json(const std::vector<ScaledRecipe>& recipes, Images training_images) {
  std::string list;
  for (const ScaledRecipe& recipe : recipes) list += (list.empty() ? "" : ", ") + json_recipe(recipe, training_images);
  const SolverConfig& reference = recipes.front().reference->solver;
  return fmt::format("{{\"reference\": {}, \"mode\": {}, \"training_images\": {}, \"recipes\": [{}]}}\n",
                     reference.reference_world_size, json_quote(reference.scaling),
                     training_images ? std::to_string(*training_images) : "null", list);
}

std::vector<std::string> scale_remarks(const ScaledRecipe& recipe) {
  std::vector<std::string> remarks = recipe.remarks;
  for (const std::string& loss : rounding_losses(recipe)) {
    remarks.push_back(loss + "; `lockstep train` refuses that, SOLVER.SCALING exact avoids it");
  }
  const std::string warning = learning_rate_warning(recipe);
  if (!warning.empty()) remarks.push_back(warning);
  return remarks;
}

}  // namespace lockstep::app
