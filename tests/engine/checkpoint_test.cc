// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/io/safetensors.h"

namespace lockstep {
namespace {

using testing::HasSubstr;

CheckpointInfo example_info() {
  CheckpointInfo info;
  info.step = 12;
  info.samples_seen = 48;
  info.workers = 3;
  info.seed = 18446744073709551615u;
  info.config_yaml = "SOLVER:\n  BASE_LR: 0.02  # \"quoted\"\n";
  info.categories = {{7, "red \"cell\""}, {9, "plaquette é"}};
  info.numerics = {"lockstep 1, gcc 2, oneDNN 3", "avx2", 2};
  return info;
}

void save_example(const std::string& path, const CheckpointInfo& info) {
  const Tensor weight = Tensor::from<float>({2, 2}, {1, -2.5f, 3e-40f, 4});
  const Tensor bias = Tensor::from<float>({1}, {0.1f});
  const Tensor velocity = Tensor::from<float>({2, 2}, {5, 6, 7, 8});
  save_checkpoint(path, info, {{"conv.weight", &weight}, {"conv.bias", &bias}}, {{"conv.weight", &velocity}});
}

std::vector<float> values(const Tensor& tensor) { return {tensor.data<float>(), tensor.data<float>() + tensor.size()}; }

TEST(Checkpoint, RoundTrip) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.safetensors");
  const CheckpointInfo written = example_info();
  save_example(path, written);
  const Checkpoint read = load_checkpoint(path);
  EXPECT_EQ(read.info.step, written.step);
  EXPECT_EQ(read.info.samples_seen, written.samples_seen);
  EXPECT_EQ(read.info.workers, written.workers);
  EXPECT_EQ(read.info.seed, written.seed);
  EXPECT_EQ(read.info.config_yaml, written.config_yaml);
  EXPECT_EQ(read.info.numerics, written.numerics);
  ASSERT_EQ(read.info.categories.size(), 2u);
  EXPECT_EQ(read.info.categories[0].id, 7);
  EXPECT_EQ(read.info.categories[0].name, "red \"cell\"");
  EXPECT_EQ(read.info.categories[1].name, "plaquette é");
  ASSERT_EQ(read.parameters.size(), 2u);
  EXPECT_EQ(read.parameters.at("conv.weight").shape(), (Shape{2, 2}));
  EXPECT_EQ(values(read.parameters.at("conv.weight")), (std::vector<float>{1, -2.5f, 3e-40f, 4}));
  ASSERT_EQ(read.momentum.size(), 1u);
  EXPECT_EQ(values(read.momentum.at("conv.weight")), (std::vector<float>{5, 6, 7, 8}));

  const WeightsHeader header = read_weights_header(path);
  EXPECT_TRUE(header.is_checkpoint);
  EXPECT_EQ(header.info.step, 12);
}

TEST(Checkpoint, ADamagedFileIsRefused) {
  TemporaryFolder folder;
  const std::string path = folder.file("cut.safetensors");
  save_example(path, example_info());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_checkpoint(path); }), HasSubstr(path));
  std::filesystem::resize_file(path, 4);
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_checkpoint(path); }), HasSubstr(path));
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_checkpoint(folder.file("absent.safetensors")); }),
              HasSubstr("absent.safetensors"));
}

TEST(Checkpoint, AFlippedBitOfAParameterIsRefused) {
  TemporaryFolder folder;
  const std::string path = folder.file("flipped.safetensors");
  save_example(path, example_info());
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  file.put('\x01');
  file.close();
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_checkpoint(path); }),
              HasSubstr("flipped.safetensors' is damaged"));
}

// A set of weights from elsewhere is no checkpoint; nothing says so but the missing metadata.
TEST(Checkpoint, WeightsAreNoCheckpoint) {
  TemporaryFolder folder;
  const std::string path = folder.file("weights.safetensors");
  const Tensor weight = Tensor::from<float>({1}, {1});
  write_safetensors(path, {{"conv.weight", &weight}});
  EXPECT_FALSE(read_weights_header(path).is_checkpoint);
  EXPECT_EQ(error_text(ErrorKind::kData, [&] { load_checkpoint(path); }),
            path + " is not a checkpoint of Lockstep; give a set of weights as MODEL.WEIGHTS instead");
}

TEST(Checkpoint, DamagedMetadataIsNamed) {
  TemporaryFolder folder;
  const std::string path = folder.file("metadata.safetensors");
  const Tensor weight = Tensor::from<float>({1}, {1});
  std::map<std::string, std::string> metadata = {{"format", "lockstep-checkpoint-1"}, {"step", "twelve"}};
  write_safetensors(path, {{"conv.weight", &weight}}, metadata);
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_checkpoint(path); }),
              HasSubstr("'step' of the checkpoint's metadata is 'twelve', wanted a whole number; it is damaged"));
  metadata["step"] = "12";
  write_safetensors(path, {{"conv.weight", &weight}}, metadata);
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_checkpoint(path); }),
              HasSubstr("the checkpoint has no 'samples_seen' in its metadata; it is damaged"));
}

TEST(Checkpoint, DifferencesOfNumericsAreListed) {
  const Numerics before = {"lockstep 1", "avx2", 1};
  EXPECT_EQ(describe_difference(before, before), "");
  EXPECT_EQ(describe_difference(before, {"lockstep 2", "avx512_core", 2}),
            "build lockstep 1 -> lockstep 2, instruction set avx2 -> avx512_core, threads 1 -> 2");
}

}  // namespace
}  // namespace lockstep
