// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/auto_scale_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config_test_support.h"
#include "lockstep/base/log.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/load.h"
#include "lockstep/config/value.h"
#include "lockstep/config/yaml_tree.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

ConfigPtr recipe(std::int64_t reference, std::int64_t batch, double lr, std::int64_t max_iter,
                 std::vector<TrainingTime> steps, std::int64_t period) {
  auto config = std::make_shared<Config>();
  config->solver.reference_world_size = reference;
  config->solver.ims_per_batch = batch;
  config->solver.base_lr = lr;
  config->solver.max_iter = max_iter;
  config->solver.steps = std::move(steps);
  config->solver.checkpoint_period = period;
  return config;
}

TEST(AutoScaleWorkers, GivesTheTableOfTheDocumentedCase) {
  struct Row {
    int workers;
    std::int64_t batch;
    double lr;
    std::int64_t max_iter, warmup, step, period;
  };
  const Row rows[] = {{16, 32, 0.2, 2500, 500, 2000, 500},
                      {4, 8, 0.05, 10000, 2000, 8000, 2000},
                      {3, 6, 0.037500000000000006, 13333, 2667, 10667, 2667},
                      {1, 2, 0.0125, 40000, 8000, 32000, 8000},
                      {7, 14, 0.08750000000000001, 5714, 1143, 4571, 1143},
                      {24, 48, 0.30000000000000004, 1667, 333, 1333, 333}};
  const ConfigPtr config = recipe(8, 16, 0.1, 5000, {4000}, 1000);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.workers);
    const ConfigPtr scaled = auto_scale_workers(config, row.workers);
    EXPECT_EQ(scaled->solver.ims_per_batch, row.batch);
    EXPECT_EQ(scaled->solver.base_lr, row.lr);
    EXPECT_EQ(scaled->solver.max_iter, row.max_iter);
    EXPECT_EQ(scaled->solver.warmup_iters, row.warmup);
    EXPECT_THAT(scaled->solver.steps, ElementsAre(row.step));
    EXPECT_EQ(scaled->solver.checkpoint_period, row.period);
    EXPECT_EQ(scaled->solver.reference_world_size, row.workers);
    EXPECT_EQ(auto_scale_workers(scaled, row.workers), scaled);
  }
}

TEST(AutoScaleWorkers, RoundsTiesToEvenAndDividesByTheScale) {
  // {reference, workers, before, after}: x * old / n in place of x / (n / old) gives 8, 28, 62 and 14 in the first
  // four.
  const std::int64_t rows[][4] = {{3, 14, 35, 7},        {3, 26, 247, 29},     {5, 14, 175, 63}, {3, 50, 225, 13},
                                  {8, 256, 90000, 2812}, {8, 256, 30000, 938}, {8, 64, 500, 62}, {8, 64, 2500, 312},
                                  {8, 16, 1, 0},         {8, 16, 3, 2},        {8, 16, 5, 2},    {8, 16, 25, 12}};
  for (const auto& row : rows) {
    const ConfigPtr config = recipe(row[0], row[0], 0.1, row[2], {}, 0);
    EXPECT_EQ(auto_scale_workers(config, static_cast<int>(row[1]))->solver.max_iter, row[3]) << row[2];
  }
}

TEST(AutoScaleWorkers, LeavesTheCallersConfigAndLogsOneLine) {
  std::vector<std::string> lines;
  const LogSink before =
      set_log_sink([&](LogLevel, std::string_view, std::string_view text) { lines.emplace_back(text); });
  const ConfigPtr config = recipe(8, 16, 0.1, 5000, {4000}, 1000);
  const std::string text = to_yaml(*config);
  const auto unset = std::make_shared<const Config>();
  auto_scale_workers(config, 3);
  EXPECT_TRUE(auto_scale_workers(config, 8) == config);
  EXPECT_TRUE(auto_scale_workers(unset, 5) == unset);
  set_log_sink(before);
  EXPECT_EQ(to_yaml(*config), text);
  EXPECT_THAT(lines, ElementsAre("Auto-scaling the config to batch_size=6, learning_rate=0.037500000000000006, "
                                 "max_iter=13333, warmup=2667."));
}

TEST(AutoScaleWorkers, RoundsPeriodsAndStepsTo0LikeItsAncestor) {
  auto config = std::make_shared<Config>(*recipe(1, 2, 0.1, 5, {1, 3, 5}, 1));
  config->solver.warmup_iters = 3;
  config->test.eval_period = 1;
  const ConfigPtr scaled = auto_scale_workers(config, 2);
  EXPECT_EQ(scaled->solver.ims_per_batch, 4);
  EXPECT_EQ(scaled->solver.max_iter, 2);
  EXPECT_EQ(scaled->solver.warmup_iters, 2);
  EXPECT_THAT(scaled->solver.steps, ElementsAre(0, 2, 2));
  EXPECT_EQ(scaled->test.eval_period, 0);
  EXPECT_EQ(scaled->solver.checkpoint_period, 0);
}

TEST(AutoScaleWorkers, GivesTheTableOfTheCocoSchedule) {
  const std::int64_t rows[][7] = {
      {1, 2, 720000, 8000, 480000, 640000, 40000}, {3, 6, 240000, 2667, 160000, 213333, 13333},
      {6, 12, 120000, 1333, 80000, 106667, 6667},  {12, 24, 60000, 667, 40000, 53333, 3333},
      {16, 32, 45000, 500, 30000, 40000, 2500},    {64, 128, 11250, 125, 7500, 10000, 625},
      {256, 512, 2812, 31, 1875, 2500, 156}};
  const double rates[] = {0.0025, 0.0075, 0.015, 0.03, 0.04, 0.16, 0.64};
  auto config = std::make_shared<Config>(*recipe(8, 16, 0.02, 90000, {60000, 80000}, 5000));
  config->test.eval_period = 5000;
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const auto& row = rows[i];
    const ConfigPtr scaled = auto_scale_workers(config, static_cast<int>(row[0]));
    EXPECT_EQ(scaled->solver.ims_per_batch, row[1]);
    EXPECT_EQ(scaled->solver.base_lr, rates[i]);
    EXPECT_EQ(scaled->solver.max_iter, row[2]);
    EXPECT_EQ(scaled->solver.warmup_iters, row[3]);
    EXPECT_THAT(scaled->solver.steps, ElementsAre(row[4], row[5]));
    EXPECT_EQ(scaled->test.eval_period, row[6]);
    EXPECT_EQ(scaled->solver.checkpoint_period, row[6]);
  }
}

TEST(AutoScaleWorkers, RefusesWhatCannotScale) {
  EXPECT_EQ(error_of([] { auto_scale_workers(std::make_shared<Config>(), 0); }), "found 0 workers, wanted at least 1");
  EXPECT_THAT(error_of([] { auto_scale_workers(recipe(3, 16, 0.1, 1, {}, 0), 2); }),
              HasSubstr("Invalid REFERENCE_WORLD_SIZE in config!"));
}

// Reads one field of a recorded recipe; the file is JSON, which is YAML.
const Value& field(const Value& object, const std::string& name) {
  for (const auto& entry : std::get<Value::Entries>(object.data)) {
    if (entry.name == name) return entry.value;
  }
  throw Error(ErrorKind::kInternal, "the golden file has no " + name);
}

ConfigPtr config_of(const Value& recorded) {
  std::vector<std::string> overrides;
  for (const auto& entry : std::get<Value::Entries>(recorded.data)) {
    const auto* text = std::get_if<std::string>(&entry.value.data);
    overrides.push_back((entry.name == "EVAL_PERIOD" ? "TEST." : "SOLVER.") + entry.name + "=" +
                        (text ? *text : to_flow_yaml(entry.value)));
  }
  auto config = std::make_shared<Config>();
  apply_overrides(*config, overrides);
  return config;
}

TEST(AutoScaleWorkers, EqualsDetectron2OnItsRecordedCases) {
  const auto file = testing::shared_folder() / "goldens" / "auto_scale_workers.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is absent";
  const YamlNode root = read_yaml("CASES: " + testing::read_text_file(file), file.string());
  const Value cases = to_value(root.members.at(0).value);
  int errors = 0;
  int count = 0;
  for (const Value& recorded : std::get<Value::List>(cases.data)) {
    SCOPED_TRACE(to_flow_yaml(recorded));
    const ConfigPtr before = config_of(field(recorded, "before"));
    const int workers = static_cast<int>(std::get<std::int64_t>(field(recorded, "workers").data));
    const Value& after = field(recorded, "after");
    ++count;
    if (std::get<Value::Entries>(after.data)[0].name == "error") {
      EXPECT_THAT(error_of([&] { auto_scale_workers(before, workers); }), HasSubstr("Invalid REFERENCE_WORLD_SIZE"));
      ++errors;
      continue;
    }
    EXPECT_EQ(diff_yaml(*auto_scale_workers(before, workers)), diff_yaml(*config_of(after)));
  }
  EXPECT_EQ(count, 300);
  EXPECT_GT(errors, 0);
}

}  // namespace
}  // namespace lockstep
