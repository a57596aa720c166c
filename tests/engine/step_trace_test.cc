// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/step_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/trainer.h"
#include "lockstep/graph/net_builder.h"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The trace as a viewer sees it.
struct Viewed {
  struct Bar {
    std::string name, category, operator_name;
    std::int64_t row;
    double begin, end;  // microseconds
  };
  std::map<std::int64_t, std::string> rows;  // name by number
  std::vector<Bar> bars;
  std::map<std::string, std::vector<std::int64_t>> counters;
};

std::string text_of(simdjson::simdjson_result<simdjson::dom::element> element) {
  return std::string(element.get_string().value());
}

Viewed view(const simdjson::padded_string& text) {
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(text);
  Viewed viewed;
  for (const simdjson::dom::element event : root["traceEvents"].get_array()) {
    const std::string phase = text_of(event["ph"]), name = text_of(event["name"]);
    if (phase == "M" && name == "thread_name") {
      viewed.rows[event["tid"].get_int64()] = text_of(event["args"]["name"]);
    } else if (phase == "X") {
      const double begin = event["ts"].get_double(), length = event["dur"].get_double();
      const std::int64_t row = event["tid"].get_int64();
      const std::string op = row > 0 ? text_of(event["args"]["operator"]) : "";
      viewed.bars.push_back({name, text_of(event["cat"]), op, row, begin, begin + length});
    } else if (phase == "C") {
      viewed.counters[name].push_back(event["args"]["micro-batches"].get_int64());
    }
  }
  return viewed;
}

// Bars of a row in a viewer must follow each other or lie within each other.
void expect_no_bar_crosses_another(const Viewed& viewed) {
  std::map<std::int64_t, std::vector<Viewed::Bar>> rows;
  for (const Viewed::Bar& bar : viewed.bars) rows[bar.row].push_back(bar);
  for (auto& [row, bars] : rows) {
    std::sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < bars.size(); ++i) {
      EXPECT_GE(bars[i].begin, bars[i - 1].end - 0.01)
          << viewed.rows.at(row) << ": " << bars[i - 1].operator_name << " and " << bars[i].operator_name;
    }
  }
}

NetDef two_devices() {
  NetBuilder b("step", "dag");
  for (const int device : {1, 0}) {
    const auto scope = b.device_scope({DeviceType::kCpu, device});
    const std::string x = "x" + std::to_string(device), y = "y" + std::to_string(device);
    b.add("Relu", {x}, {y}, {}, "relu \"" + std::to_string(device) + "\"");
    b.add("ReluGradient", {y, y}, {x}, {}, "back " + std::to_string(device)).set_is_gradient_op(true);
  }
  return b.net();
}

TEST(StepTrace, HoldsTheStepsOfTheRangeWithARowPerDeviceAndThread) {
  const NetDef net = two_devices();
  StepTrace trace({2, 3}, net);
  std::size_t depth = 7;
  trace.watch([&] { return StepTrace::Depths{{"queue of worker 0", depth++}}; });
  for (int step = 1; step <= 4; ++step) {
    trace.begin_step(step);
    for (int first : {0, 2}) {  // each device on a thread of its own
      std::thread([&] {
        trace.add_op(net.op(first), 1e-6);
        trace.add_op(net.op(first + 1), 1e-6);
      }).join();
    }
    trace.end_step({{"loss", 0.5 * step}});
  }
  EXPECT_EQ(trace.steps(), 2);
  const std::string json = trace.json();
  const Viewed viewed = view(simdjson::padded_string(json));
  EXPECT_EQ(viewed.rows.at(0), "steps");
  EXPECT_EQ(viewed.rows.at(1).substr(0, 5), "cpu:0");
  EXPECT_EQ(viewed.rows.rbegin()->second.substr(0, 5), "cpu:1");
  std::vector<std::string> steps, ops;
  for (const Viewed::Bar& bar : viewed.bars) {
    (bar.row == 0 ? steps : ops).push_back(bar.row == 0 ? bar.name : bar.category + ": " + bar.operator_name);
  }
  EXPECT_THAT(steps, ElementsAre("step 2", "step 3"));
  const std::vector<std::string> one = {"forward: relu \"1\"", "backward: back 1", "backward: relu \"0\"",
                                        "backward: back 0"};
  std::vector<std::string> both = one;
  both.insert(both.end(), one.begin(), one.end());
  EXPECT_EQ(ops, both);
  EXPECT_GE(viewed.counters.at("queue of worker 0").size(), 4u);
  EXPECT_EQ(viewed.counters.at("queue of worker 0")[0], 7);
  EXPECT_THAT(json, HasSubstr("\"loss\": 1.5"));
}

TEST(StepTrace, RangesAreReadAndWrongOnesRefused) {
  EXPECT_EQ(parse_step_range("steps=10:12").first, 10);
  EXPECT_EQ(parse_step_range("steps=10:12").last, 12);
  EXPECT_EQ(parse_step_range("steps=7").last, 7);
  for (const char* wrong : {"", "10:12", "steps=", "steps=a:b", "steps=3:", "steps=:3", "steps=-1:3", "steps=1:2:3",
                            "steps=1.5", "steps= 1", "steps=99999999999999999999"}) {
    EXPECT_EQ(error_text(ErrorKind::kConfig, [&] { parse_step_range(wrong); }),
              "--trace is '" + std::string(wrong) + "'; wanted steps=FIRST:LAST, for example steps=10:12");
  }
  EXPECT_EQ(error_text(ErrorKind::kConfig, [] { parse_step_range("steps=0:3"); }),
            "--trace steps=0:3: the first step of a run is 1");
  EXPECT_EQ(error_text(ErrorKind::kConfig, [] { parse_step_range("steps=5:3"); }),
            "--trace steps=5:3: the first step stands behind the last; wanted steps=3:5");
}

class TracedRun : public testing::Test {
 protected:
  TracedRun() : config_(small_recipe(folder_.file("run"))) {
    config_.datasets.test.clear();
    options_.workers = 2;
  }
  std::string trace_file(const std::string& name) const { return folder_.file("run/" + name); }

  TemporaryFolder folder_;
  Config config_;
  TrainerOptions options_;
};

TEST_F(TracedRun, EveryOperatorOfTheStepsStandsOnItsRow) {
  options_.trace = StepRange{2, 3};
  Trainer(config_, options_).run();
  const Viewed viewed = view(simdjson::padded_string::load(trace_file("trace_steps_2_3.json")));
  expect_no_bar_crosses_another(viewed);
  const TrainNets nets = build_train_nets(config_, full_catalog(), 2);
  std::size_t wanted = static_cast<std::size_t>(nets.step.op_size());
  for (std::size_t w = 0; w < 2; ++w) {
    wanted += static_cast<std::size_t>(nets.accumulate[w].op_size() * (nets.ranges[w].size() - 1));
  }
  const auto ops = std::count_if(viewed.bars.begin(), viewed.bars.end(), [](const auto& bar) { return bar.row > 0; });
  EXPECT_EQ(ops, static_cast<std::ptrdiff_t>(2 * wanted));
  EXPECT_EQ(viewed.rows.size(), 3u);  // the steps and two lanes
  for (const char* counter : {"queue of worker 0", "queue of worker 1", "micro-batches in order"}) {
    EXPECT_GE(viewed.counters.at(counter).size(), 4u) << counter;
  }
  // The operators of a step lie within it.
  double begin = 1e300, end = 0;
  for (const Viewed::Bar& bar : viewed.bars) {
    if (bar.row != 0) continue;
    begin = std::min(begin, bar.begin);
    end = std::max(end, bar.end);
  }
  for (const Viewed::Bar& bar : viewed.bars) {
    EXPECT_GE(bar.begin, begin - 0.01);
    EXPECT_LE(bar.end, end + 0.01);
  }
}

TEST_F(TracedRun, AStoppedRunKeepsTheStepsThatItHas) {
  options_.trace = StepRange{2, 4};
  CancelToken cancel;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    if (report.step == 3) cancel.request();
  };
  Trainer(config_, options_, callbacks).run(cancel);
  const Viewed viewed = view(simdjson::padded_string::load(trace_file("trace_steps_2_3.json")));
  EXPECT_EQ(std::count_if(viewed.bars.begin(), viewed.bars.end(), [](const auto& bar) { return bar.row == 0; }), 2);
}

TEST_F(TracedRun, StepsThatTheRunDoesNotHaveAreRefusedBeforeItStarts) {
  options_.trace = StepRange{3, 5};
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config_, options_); }),
              HasSubstr("--trace steps=3:5: the run ends with step 4 (SOLVER.MAX_ITER)"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("run")));
  options_.trace.reset();
  CancelToken cancel;
  TrainerCallbacks callbacks;
  callbacks.on_step = [&](const StepReport& report) {
    if (report.step == 2) cancel.request();
  };
  Trainer(config_, options_, callbacks).run(cancel);
  options_.resume = ResumeMode::kRequire;
  options_.trace = StepRange{2, 3};
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { Trainer(config_, options_); }),
              HasSubstr("--trace steps=2:3: the run goes on with step 3"));
}

}  // namespace
}  // namespace lockstep
