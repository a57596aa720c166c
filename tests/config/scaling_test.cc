// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/scaling.h"

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

Config recipe(std::int64_t reference, std::int64_t batch, double lr, std::int64_t max_iter,
              std::vector<TrainingTime> steps, std::int64_t period) {
  Config config;
  config.solver.reference_world_size = reference;
  config.solver.ims_per_batch = batch;
  config.solver.base_lr = lr;
  config.solver.max_iter = max_iter;
  config.solver.steps = std::move(steps);
  config.solver.checkpoint_period = period;
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
  const Config config = recipe(8, 16, 0.1, 5000, {4000}, 1000);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.workers);
    const Config scaled = auto_scale_workers(config, row.workers);
    EXPECT_EQ(scaled.solver.ims_per_batch, row.batch);
    EXPECT_EQ(scaled.solver.base_lr, row.lr);
    EXPECT_EQ(scaled.solver.max_iter, row.max_iter);
    EXPECT_EQ(scaled.solver.warmup_iters, row.warmup);
    EXPECT_THAT(scaled.solver.steps, ElementsAre(row.step));
    EXPECT_EQ(scaled.solver.checkpoint_period, row.period);
    EXPECT_EQ(scaled.solver.reference_world_size, row.workers);
    EXPECT_EQ(to_yaml(auto_scale_workers(scaled, row.workers)), to_yaml(scaled));
  }
}

TEST(AutoScaleWorkers, RoundsTiesToEvenAndDividesByTheScale) {
  // {reference, workers, before, after}: x * old / n in place of x / (n / old) gives 8, 28, 62 and 14 in the first
  // four.
  const std::int64_t rows[][4] = {{3, 14, 35, 7},        {3, 26, 247, 29},     {5, 14, 175, 63}, {3, 50, 225, 13},
                                  {8, 256, 90000, 2812}, {8, 256, 30000, 938}, {8, 64, 500, 62}, {8, 64, 2500, 312},
                                  {8, 16, 1, 0},         {8, 16, 3, 2},        {8, 16, 5, 2},    {8, 16, 25, 12}};
  for (const auto& row : rows) {
    const Config config = recipe(row[0], row[0], 0.1, row[2], {}, 0);
    EXPECT_EQ(auto_scale_workers(config, static_cast<int>(row[1])).solver.max_iter, row[3]) << row[2];
  }
}

TEST(AutoScaleWorkers, LeavesTheCallersConfigAndLogsOneLine) {
  std::vector<std::string> lines;
  const LogSink before =
      set_log_sink([&](LogLevel, std::string_view, std::string_view text) { lines.emplace_back(text); });
  const Config config = recipe(8, 16, 0.1, 5000, {4000}, 1000);
  const std::string text = to_yaml(config);
  auto_scale_workers(config, 3);
  auto_scale_workers(config, 8);
  auto_scale_workers(Config{}, 5);
  set_log_sink(before);
  EXPECT_EQ(to_yaml(config), text);
  EXPECT_THAT(lines, ElementsAre("Auto-scaling the config to batch_size=6, learning_rate=0.037500000000000006, "
                                 "max_iter=13333, warmup=2667."));
}

TEST(AutoScaleWorkers, RefusesWhatCannotScale) {
  EXPECT_EQ(error_of([] { auto_scale_workers(Config{}, 0); }), "found 0 workers, wanted at least 1");
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

Config config_of(const Value& recorded) {
  std::vector<std::string> overrides;
  for (const auto& entry : std::get<Value::Entries>(recorded.data)) {
    const auto* text = std::get_if<std::string>(&entry.value.data);
    overrides.push_back((entry.name == "EVAL_PERIOD" ? "TEST." : "SOLVER.") + entry.name + "=" +
                        (text ? *text : to_flow_yaml(entry.value)));
  }
  Config config;
  apply_overrides(config, overrides);
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
    const Config before = config_of(field(recorded, "before"));
    const int workers = static_cast<int>(std::get<std::int64_t>(field(recorded, "workers").data));
    const Value& after = field(recorded, "after");
    ++count;
    if (std::get<Value::Entries>(after.data)[0].name == "error") {
      EXPECT_THAT(error_of([&] { auto_scale_workers(before, workers); }), HasSubstr("Invalid REFERENCE_WORLD_SIZE"));
      ++errors;
      continue;
    }
    EXPECT_EQ(diff_yaml(auto_scale_workers(before, workers)), diff_yaml(config_of(after)));
  }
  EXPECT_EQ(count, 300);
  EXPECT_GT(errors, 0);
}

}  // namespace
}  // namespace lockstep
