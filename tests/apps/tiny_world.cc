// SPDX-License-Identifier: Apache-2.0
#include "apps/tiny_world.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace lockstep::test {
namespace {

constexpr const char* kRecipe = R"(
MODEL:
  GN_NUM_GROUPS: 4
  RESNETS: {STEM_OUT_CHANNELS: 8, RES2_OUT_CHANNELS: 8}
  FPN: {OUT_CHANNELS: 16}
  RPN: {BATCH_SIZE_PER_IMAGE: 32, PRE_NMS_TOPK_TRAIN: 60, POST_NMS_TOPK_TRAIN: 30, PRE_NMS_TOPK_TEST: 60, POST_NMS_TOPK_TEST: 30}
  ROI_HEADS: {BATCH_SIZE_PER_IMAGE: 16}
  ROI_BOX_HEAD: {FC_DIM: 16, POOLER_RESOLUTION: 3}
INPUT: {MIN_SIZE_TRAIN: [64], MAX_SIZE_TRAIN: 96, MIN_SIZE_TEST: 64, MAX_SIZE_TEST: 96}
DATASETS: {TRAIN: [data], TEST: [data]}
SOLVER: {IMS_PER_BATCH: 4, MAX_ITER: 4, STEPS: [], WARMUP_ITERS: 2, CHECKPOINT_PERIOD: 2}
)";

}  // namespace

void TinyWorld::SetUp() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::temp_directory_path() /
            (std::string("lockstep_") + info->test_suite_name() + "_" + info->name() + "_" + std::to_string(getpid()));
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  write("tiny.yaml", "_BASE_: " LOCKSTEP_SOURCE_DIR "/configs/base/faster_rcnn_r18_gn_fpn.yaml" + std::string(kRecipe));
  ASSERT_EQ(lockstep({"synth", "data", "--images", "20", "--seed", "1"}).exit_code, 0);
}

void TinyWorld::TearDown() {
  EXPECT_EQ(half_written_files(), std::vector<std::string>{});
  std::filesystem::remove_all(folder_);
}

std::vector<std::string> TinyWorld::train_words(std::vector<std::string> words) const {
  words.insert(words.begin(), {"train", "--config-file", "tiny.yaml", "--out", "run"});
  return words;
}

Ended TinyWorld::train(std::vector<std::string> words) const { return lockstep(train_words(std::move(words))); }

std::string TinyWorld::read(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void TinyWorld::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

std::vector<std::string> TinyWorld::half_written_files() const {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".tmp") != std::string::npos || name.find(".write_test") != std::string::npos) found.push_back(name);
  }
  return found;
}

}  // namespace lockstep::test
