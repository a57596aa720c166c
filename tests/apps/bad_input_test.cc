// SPDX-License-Identifier: Apache-2.0
// Bad input gives one clear error and the right exit code, leaves no run behind, and never hangs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/tiny_world.h"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

class BadInput : public TinyWorld {
 protected:
  void expect_refused(const std::vector<std::string>& words, int exit_code, const std::string& text) const {
    const Ended ended = train(words);
    EXPECT_FALSE(ended.hung);
    EXPECT_EQ(ended.exit_code, exit_code) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(text));
    EXPECT_EQ(ended.out, "");
    EXPECT_FALSE(exists("run")) << "a refused run left its folder behind";
  }
};

TEST_F(BadInput, MissingAnnotationFile) {
  expect_refused({"DATASETS.TRAIN", "coco:nothing.json:data/images"}, 2,
                 "data error: the annotation file nothing.json does not exist");
  expect_refused({"DATASETS.TRAIN", "nothing"}, 2, "config error: 'nothing' is not a data set");
}

TEST_F(BadInput, MalformedAnnotationFile) {
  write("bad.json", read("data/instances_train.json").substr(0, 1000));
  expect_refused({"DATASETS.TRAIN", "coco:bad.json:data/images"}, 2,
                 "data error: cannot read bad.json:20:13: not valid JSON: the file ends");
  write("bad.json", "[1, 2]");
  expect_refused({"DATASETS.TRAIN", "coco:bad.json:data/images"}, 2, "bad.json is not a COCO annotation file");
}

TEST_F(BadInput, MissingImage) {
  std::filesystem::remove(path("data/images/000002.jpg"));
  expect_refused({}, 2, "1 of the 16 images of data set");
  expect_refused({"--check"}, 2, "data/images/000002.jpg");
}

TEST_F(BadInput, TruncatedJpeg) {
  for (const char* name : {"data/images/000000.jpg", "data/images/000001.jpg", "data/images/000002.jpg"}) {
    write(name, read(name).substr(0, 900));
  }
  const Ended ended = train({"SOLVER.MAX_ITER", "8"});
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.exit_code, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("lockstep: data error: "));
  EXPECT_THAT(ended.err, testing::ContainsRegex("data/images/00000[012].jpg"));
  EXPECT_FALSE(exists("run/model_final.safetensors"));
}

TEST_F(BadInput, UnknownKeysAndWrongTypes) {
  expect_refused({"SOLVER.BASE_LRR", "1"}, 2, "SOLVER.BASE_LRR: there is no such key; nearest: SOLVER.BASE_LR");
  expect_refused({"SOLVER.MAX_ITER", "many"}, 2, "SOLVER.MAX_ITER: found the text 'many', wanted a whole number");
  expect_refused({"SOLVER.MAX_ITER"}, 2, "'SOLVER.MAX_ITER' without a value");
  write("tiny.yaml", read("tiny.yaml") + "SOLVR: {MAX_ITER: 3}\n");
  expect_refused({}, 2, "tiny.yaml:");
}

TEST_F(BadInput, CategoryWithoutImages) {
  std::string text = read("data/instances_train.json");
  const std::string list = "\"categories\": [";
  text.insert(text.find(list) + list.size(), "{\"id\": 90, \"name\": \"hexagon\"},");
  write("data/instances_train.json", text);
  expect_refused({}, 2, "has categories without a box: hexagon (1 of 5); remove them from the annotation file");
  const Ended ended = train({"DATASETS.ALLOW_EMPTY_CATEGORIES", "True", "DATASETS.TEST", "()"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("categories have no box in any image (first: hexagon)"));
}

TEST_F(BadInput, OtherCategoriesForTesting) {
  std::string text = read("data/instances_val.json");
  text.replace(text.find("circle"), 6, "oblong");
  write("data/instances_val.json", text);
  expect_refused({}, 2, "oblong");
}

TEST_F(BadInput, UnwritableRunDirectory) {
  write("file", "");
  const Ended inside = lockstep({"train", "--config-file", "tiny.yaml", "--out", "file/run"});
  EXPECT_EQ(inside.exit_code, 3);
  EXPECT_THAT(inside.last_line(), HasSubstr("io error: cannot make the run directory file/run: "));
  EXPECT_THAT(inside.last_line(), HasSubstr("is not a folder; choose another --out"));
  const Ended checked = lockstep({"train", "--config-file", "tiny.yaml", "--out", "file", "--check"});
  EXPECT_EQ(checked.exit_code, 3);
  EXPECT_EQ(read("file"), "");
}

TEST_F(BadInput, MissingWeightsLeaveNoRunBehind) {
  expect_refused({"MODEL.WEIGHTS", "nothing.safetensors"}, 2, "weights file 'nothing.safetensors' does not exist");
}

TEST_F(BadInput, NumbersOfWorkersAndThreads) {
  expect_refused({"--workers", "0"}, 2, "--workers is 0; wanted at least 1");
  expect_refused({"--workers", "-1"}, 2, "--workers is -1; wanted at least 1");
  expect_refused({"--workers", "5"}, 2, "5 workers have only 4 micro-batches to share");
  expect_refused({"--workers", "two"}, 2, "--workers = two");
  expect_refused({"--threads", "0"}, 2, "--threads is 0; wanted 1 to 256");
}

TEST_F(BadInput, ResumeWithoutARun) {
  expect_refused({"--resume"}, 2, "--resume: run holds no checkpoint");
  const Ended ended = lockstep({"train", "--resume=nothing"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.last_line(), HasSubstr("--resume: nothing holds no run"));
  expect_refused({"--resume", "--overwrite"}, 2, "--resume and --overwrite exclude each other");
}

// As when a quota is used up: the checkpoint fails, and says so.
TEST_F(BadInput, FileSizeLimit) {
  const Ended ended = run_lockstep(folder_, train_words({}), {.file_size = 100'000});
  EXPECT_FALSE(ended.hung);
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_THAT(ended.last_line(), HasSubstr("File too large"));
  EXPECT_TRUE(half_written_files().empty());
}

TEST_F(BadInput, OutOfMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need address space without bounds";
#endif
  for (const std::size_t megabytes : {150, 250, 350}) {
    const Ended ended = run_lockstep(folder_, train_words({"--overwrite"}), {.address_space = megabytes << 20});
    EXPECT_FALSE(ended.hung);
    EXPECT_EQ(ended.exit_code, 3) << megabytes << " MB: " << ended.err;
    EXPECT_THAT(ended.last_line(), HasSubstr("lockstep: device error: "));
    EXPECT_FALSE(exists("run/model_final.safetensors"));
  }
}

}  // namespace
}  // namespace lockstep::test
