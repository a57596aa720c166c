// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/metrics_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <filesystem>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/eval/report.h"

namespace lockstep {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

StepReport report_of(std::int64_t step, double loss = 0.5) {
  StepReport report;
  report.step = step;
  report.total_loss = loss;
  report.losses = {{"loss_cls", loss}, {"loss \"odd\"", 0.25}};
  report.learning_rate = 0.02;
  report.seconds = 0.125;
  report.loader_waits = {0.5, 0};
  report.loader_stages = {{"read", 0.25}, {"decode", 1.5}};
  return report;
}

EvalReport evaluation_of(std::int64_t step) {
  EvalReport report;
  report.step = step;
  report.stats.assign(coco_stat_names().size(), 0.5);
  return report;
}

std::int64_t step_of(const std::string& line) {
  simdjson::dom::parser parser;
  return parser.parse(line)["step"].get_int64().value();
}

TEST(MetricsWriter, EveryLineIsAJsonObject) {
  TemporaryFolder folder;
  const std::string path = folder.file("metrics.jsonl");
  {
    MetricsWriter writer(path, 0);
    writer.write(report_of(1));
    writer.write(evaluation_of(1));
  }
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 2u);
  simdjson::dom::parser parser;
  const simdjson::dom::element step = parser.parse(lines[0]);
  EXPECT_EQ(step["step"].get_int64().value(), 1);
  EXPECT_EQ(step["total_loss"].get_double().value(), 0.5);
  EXPECT_EQ(step["loss_cls"].get_double().value(), 0.5);
  EXPECT_EQ(step["loss \"odd\""].get_double().value(), 0.25);
  EXPECT_EQ(step["lr"].get_double().value(), 0.02);
  EXPECT_EQ(step["seconds"].get_double().value(), 0.125);
  EXPECT_EQ(step["loader_waits"].at(0).get_double().value(), 0.5);
  EXPECT_EQ(step["loader_stages"]["decode"].get_double().value(), 1.5);
  const simdjson::dom::element evaluation = parser.parse(lines[1]);
  EXPECT_EQ(evaluation["bbox/AP"].get_double().value(), 0.5);
  EXPECT_EQ(evaluation["bbox/ARl"].get_double().value(), 0.5);
}

TEST(MetricsWriter, WhatIsNoNumberBecomesNull) {
  TemporaryFolder folder;
  const std::string path = folder.file("metrics.jsonl");
  MetricsWriter writer(path, 0);
  writer.write(report_of(1, std::nan("")));
  writer.write(report_of(2, HUGE_VAL));
  EvalReport evaluation = evaluation_of(2);
  evaluation.stats[3] = -1;  // no small objects
  writer.write(evaluation);
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 3u);  // flushed line by line
  simdjson::dom::parser parser;
  EXPECT_TRUE(parser.parse(lines[0])["total_loss"].is_null());
  EXPECT_TRUE(parser.parse(lines[0])["loss_cls"].is_null());
  EXPECT_TRUE(parser.parse(lines[1])["total_loss"].is_null());
  EXPECT_TRUE(parser.parse(lines[2])["bbox/APs"].is_null());
  EXPECT_FALSE(parser.parse(lines[2])["bbox/AP"].is_null());
}

TEST(MetricsWriter, GoingOnDropsTheLinesThatComeAgain) {
  TemporaryFolder folder;
  const std::string path = folder.file("metrics.jsonl");
  {
    MetricsWriter writer(path, 0);
    for (int step = 1; step <= 5; ++step) writer.write(report_of(step));
    writer.write(evaluation_of(5));
  }
  std::ofstream(path, std::ios::app) << "{\"step\": 2, \"total_lo";  // cut short by a power failure
  MetricsWriter writer(path, 3);
  writer.write(report_of(4));
  std::vector<std::int64_t> steps;
  for (const std::string& line : lines_of(path)) steps.push_back(step_of(line));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST(MetricsWriter, AFolderThatIsNotThereIsAnError) {
  TemporaryFolder folder;
  const std::string path = folder.file("absent/metrics.jsonl");
  EXPECT_THAT(error_text(ErrorKind::kIo, [&] { MetricsWriter(path, 0); }), testing::HasSubstr("cannot write " + path));
}

}  // namespace
}  // namespace lockstep
