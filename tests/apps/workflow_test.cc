// SPDX-License-Identifier: Apache-2.0
// The commands one after another, as people use them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "apps/tiny_world.h"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

class Workflow : public TinyWorld {
 protected:
  std::string digest(const std::string& run) const {
    const Ended ended = lockstep({"weights", "inspect", run, "--digest"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out;
  }
};

TEST_F(Workflow, TrainEvaluatePredict) {
  const Ended trained = train({"--json"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("\"result\": \"finished\", \"step\": 4, \"run\": \"run\", \"digest\": \""));
  EXPECT_THAT(trained.out, HasSubstr(digest("run").substr(0, 64)));
  EXPECT_THAT(trained.err, HasSubstr("step 4/4  loss "));
  for (const char* file : {"config.yaml", "config.effective.yaml", "net.pbtxt", "init_net.pbtxt", "metrics.jsonl",
                           "log.txt", "run.json", "last_checkpoint", "checkpoints/step_00000002.safetensors",
                           "model_final.safetensors", "model_best.safetensors"}) {
    EXPECT_TRUE(exists(std::string("run/") + file)) << file;
  }
  EXPECT_THAT(read("run/log.txt"), HasSubstr("update rules"));

  const Ended evaluated = lockstep({"eval", "run", "--out", "detections.json", "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Ended from_files =
      lockstep({"eval", "--gt", "data/instances_val.json", "--results", "detections.json", "--json"});
  EXPECT_EQ(evaluated.out, from_files.out);
  EXPECT_EQ(lockstep({"eval", "run", "--workers", "2", "--json"}).out, evaluated.out);

  const Ended predicted = lockstep({"predict", "--weights", "run", "--score", "0", "--max-det", "3", "--draw", "drawn",
                                    "--json", "data/images/000003.jpg", "data/images/000009.png"});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_EQ(std::count(predicted.out.begin(), predicted.out.end(), '\n'), 2);
  EXPECT_THAT(predicted.out, HasSubstr("{\"image\": \"data/images/000003.jpg\", \"width\": "));
  EXPECT_THAT(read("drawn/000003.png"), testing::StartsWith("\x89PNG"));
  EXPECT_TRUE(exists("drawn/000009.png"));

  // Pictures that cannot be read are named; the others are done all the same.
  std::filesystem::create_directories(path("mixed"));
  write("mixed/a.jpg", "no picture");
  write("mixed/b.jpg", read("data/images/000003.jpg"));
  write("mixed/c.jpg", "");
  const Ended mixed = lockstep({"predict", "--weights", "run", "--score", "0", "--json", "mixed"});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_EQ(std::count(mixed.out.begin(), mixed.out.end(), '\n'), 1);
  EXPECT_THAT(mixed.out, HasSubstr("{\"image\": \"mixed/b.jpg\""));
  EXPECT_THAT(mixed.err, HasSubstr("mixed/c.jpg"));
  EXPECT_THAT(mixed.last_line(), HasSubstr("2 of 3 pictures could not be read, the first: "));
  EXPECT_THAT(mixed.last_line(), HasSubstr("mixed/a.jpg"));
}

TEST_F(Workflow, CheckTrainsNothingAndWritesNothing) {
  const Ended checked = train({"--check"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("are good"));
  EXPECT_FALSE(exists("run"));
}

TEST_F(Workflow, SecondRunIntoTheSameFolderIsRefusedUnlessAsked) {
  ASSERT_EQ(train({"--workers", "1"}).exit_code, 0);
  const std::string metrics = read("run/metrics.jsonl");
  const Ended again = train({});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.last_line(),
              HasSubstr("run holds a run already; go on with it by --resume, replace it by --overwrite"));
  EXPECT_EQ(read("run/metrics.jsonl"), metrics);
  // A replacement that cannot start leaves the old run alone.
  EXPECT_EQ(train({"--overwrite", "MODEL.WEIGHTS", "nothing"}).exit_code, 2);
  EXPECT_EQ(read("run/metrics.jsonl"), metrics);
  EXPECT_EQ(train({"--overwrite", "SOLVER.MAX_ITER", "1"}).exit_code, 0);
  EXPECT_FALSE(exists("run/checkpoints/step_00000004.safetensors"));
}

TEST_F(Workflow, DigestsAreEqualForEveryNumberOfWorkers) {
  for (const char* workers : {"1", "2", "3", "4"}) {
    ASSERT_EQ(lockstep({"train", "--config-file", "tiny.yaml", "--out", workers, "--workers", workers}).exit_code, 0);
    EXPECT_EQ(digest(workers), digest("1")) << workers << " workers";
  }
}

TEST_F(Workflow, SignalSavesACheckpointAndTheRunGoesOnElsewhere) {
  using namespace std::chrono_literals;
  const std::vector<std::string> schedule = {"SOLVER.MAX_ITER", "400", "SOLVER.CHECKPOINT_PERIOD", "0"};
  for (const int signal : {SIGINT, SIGTERM}) {
    std::vector<std::string> words = schedule;
    words.insert(words.end(), {"--workers", "2"});
    std::filesystem::remove_all(path("run"));
    Running running(folder_, train_words(words));
    while (running.runs() && read("run/metrics.jsonl").empty()) std::this_thread::sleep_for(5ms);
    running.signal(signal);
    const Ended ended = running.wait();
    EXPECT_FALSE(ended.hung);
    EXPECT_EQ(ended.exit_code, 128 + signal) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("go on with: lockstep train --resume=run"));
    EXPECT_TRUE(exists("run/last_checkpoint"));
    EXPECT_FALSE(exists("run/model_final.safetensors"));
  }
  const std::string checkpoint = read("run/last_checkpoint");
  const auto step = std::stoi(checkpoint.substr(checkpoint.find("step_") + 5));
  ASSERT_LT(step, 390);
  const std::string last = std::to_string(step + 3);
  const Ended resumed = lockstep({"train", "--resume=run", "--workers", "1", "SOLVER.MAX_ITER", last});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resuming at step " + std::to_string(step)));

  std::vector<std::string> whole = {"train", "--config-file", "tiny.yaml", "--out", "whole", "SOLVER.MAX_ITER", last};
  ASSERT_EQ(lockstep(whole).exit_code, 0);
  EXPECT_EQ(digest("whole"), digest("run"));
}

TEST_F(Workflow, NetsPrintInEveryForm) {
  const auto print = [&](const char* part, const char* format) {
    const Ended ended =
        lockstep({"net", "--config-file", "tiny.yaml", "--workers", "2", "--part", part, "--format", format});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out;
  };
  EXPECT_THAT(print("train", "text"), HasSubstr("LockstepAllReduce("));
  EXPECT_THAT(print("init", "text"), HasSubstr("MSRAFill("));
  EXPECT_THAT(print("test", "table"), HasSubstr("DetectBoxes"));
  EXPECT_THAT(print("train", "dot"), testing::StartsWith("digraph"));
  // The recipe pins the instruction set; the table shows the kernels of training, whatever this machine could do.
  EXPECT_THAT(print("train", "table"), testing::AllOf(HasSubstr("jit:avx2"), Not(HasSubstr("avx512"))));
}

TEST_F(Workflow, BenchTellsTheStagesOfAStep) {
  const Ended step =
      lockstep({"bench", "step", "--config-file", "tiny.yaml", "--workers", "2", "--steps", "2", "--ops"});
  ASSERT_EQ(step.exit_code, 0) << step.err;
  for (const char* stage : {"forward", "backward", "all-reduce", "update", "images/s", "bound by ", "GFLOP/s",
                            "FCWeightGradient roi_heads.box_head.fc1_grad"}) {
    EXPECT_THAT(step.out, HasSubstr(stage));
  }
  EXPECT_THAT(lockstep({"bench", "step", "--config-file", "tiny.yaml", "--steps", "1", "--json"}).out,
              HasSubstr("\"backward_ms\": "));
  for (const char* collective : {"lockstep", "tree"}) {
    const Ended reduced = lockstep({"bench", "allreduce", "--workers", "2,3", "--from", "4K", "--to", "64K",
                                    "--repeats", "1", "--collective", collective, "--json"});
    ASSERT_EQ(reduced.exit_code, 0) << reduced.err;
    EXPECT_THAT(reduced.out, HasSubstr("\"workers\": 3, \"bytes\": 65536, \"seconds\": "));
  }
  EXPECT_THAT(lockstep({"bench", "allreduce", "--from", "6"}).last_line(),
              HasSubstr("--from is '6'; wanted whole floats"));
  EXPECT_THAT(lockstep({"bench", "loader", "--config-file", "tiny.yaml", "--images", "20"}).out, HasSubstr("images/s"));
}

TEST_F(Workflow, SimulateFollowsTheRealStepToLargerClusters) {
  const auto simulate = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"simulate", "--config-file", "tiny.yaml", "--steps", "2", "--workers", "1,4096"};
    all.insert(all.end(), more.begin(), more.end());
    return lockstep(all);
  };
  const Ended table = simulate({"--algorithm", "tree"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  for (const char* line :
       {"1 workers on this machine: step ", "2 workers on this machine: step ", "\n   4096  tree "}) {
    EXPECT_THAT(table.out, HasSubstr(line));
  }
  // 2 * log2(4096) latencies of 1 s, for one message; a worker alone sends nothing.
  const Ended json = simulate({"--algorithm", "tree", "--workers-per-host", "1", "--latency", "1e6", "--bandwidth",
                               "1e12", "--bucket", "1e6", "--json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  EXPECT_THAT(json.out, HasSubstr("\"messages\": 1, "));
  EXPECT_THAT(json.out, HasSubstr("\"efficiency\": 1.0000, \"communication_ms\": 0.0000, \"exposed_ms\": 0.0000}"));
  EXPECT_THAT(json.out, HasSubstr("\"communication_ms\": 24000.0000, \"exposed_ms\": 24000.0000}"));
  EXPECT_THAT(simulate({"--algorithm", "star"}).last_line(),
              HasSubstr("'star' is no all-reduce; wanted ring, tree or hierarchical"));
  EXPECT_THAT(simulate({"--bandwidth", "0"}).last_line(), HasSubstr("must be above 0 GB/s, got 0 and 10"));
  EXPECT_THAT(simulate({"--measured", "64"}).last_line(), HasSubstr("--measured is 64 and a step has "));
}

TEST_F(Workflow, DemoMakesAContactSheetAndPrintsTheTableLast) {
  const Ended demo = lockstep({"demo", "--out", "demo", "--minutes", "0.01", "--images", "20"});
  ASSERT_EQ(demo.exit_code, 0) << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("pictures demo/predictions.png"));
  EXPECT_LT(demo.out.find("predictions.png"), demo.out.find("Average Precision"));
  EXPECT_THAT(read("demo/predictions.png"), testing::StartsWith("\x89PNG"));
  const Ended again = lockstep({"demo", "--out", "demo"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.last_line(), HasSubstr("demo holds a demo already"));
}

}  // namespace
}  // namespace lockstep::test
