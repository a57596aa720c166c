// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/initial_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/io/safetensors.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

using testing::HasSubstr;

Losses add_small_model(Model& model) {
  const std::string data = model.scoped("data");
  const std::string logits = add_fully_connected(model, {.name = "first", .in_features = 2, .out_features = 2}, data);
  const std::string more = add_fully_connected(model, {.name = "second", .in_features = 2, .out_features = 2}, logits);
  model.net().add("SoftmaxCrossEntropyLoss", {more, model.scoped("gt_classes")},
                  {model.scoped("loss"), model.scoped("probabilities")});
  return {{"loss", model.scoped("loss")}};
}

class InitialWeights : public testing::Test {
 protected:
  InitialWeights() {
    Config config;
    config.solver.ims_per_batch = 2;
    nets_ = build_train_nets(config, catalog_, 2, add_small_model);
    workers_.emplace(nets_, catalog_, std::vector<int>{1, 1}, 3);
  }

  std::string write(const std::vector<std::pair<std::string, const Tensor*>>& tensors) const {
    write_safetensors(folder_.file("weights.safetensors"), tensors);
    return folder_.file("weights.safetensors");
  }

  TemporaryFolder folder_;
  OpCatalog catalog_ = full_catalog();
  TrainNets nets_;
  std::optional<WorkerGroup> workers_;
};

TEST_F(InitialWeights, EveryTensorIsAccountedFor) {
  const Tensor weight = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  const Tensor wide = Tensor::from<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor extra = Tensor::from<float>({1}, {9});
  const float before = workers_->parameter("second.weight").data<float>()[0];
  const std::string path = write({{"first.weight", &weight}, {"second.weight", &wide}, {"elsewhere", &extra}});
  const std::string report = load_initial_weights(path, nets_.parameters, *workers_);
  EXPECT_EQ(report, "weights file '" + path +
                        "': 1 loaded, 2 missing, 1 unused, 1 of another shape\n"
                        "  other shape  second.weight: the model wants [2,2], the file has [3,2]\n"
                        "  missing      first.bias\n"
                        "  missing      second.bias\n"
                        "  unused       elsewhere\n");
  for (const int worker : {0, 1}) {
    EXPECT_EQ(workers_->parameter("first.weight", worker).data<float>()[3], 4) << worker;
    EXPECT_EQ(workers_->parameter("second.weight", worker).data<float>()[0], before) << worker;
  }
  workers_->check_replicas();
}

TEST_F(InitialWeights, AFileThatFitsNothingIsAnError) {
  const Tensor extra = Tensor::from<float>({1}, {9});
  const std::string path = write({{"elsewhere", &extra}});
  EXPECT_THAT(error_text(ErrorKind::kData, [&] { load_initial_weights(path, nets_.parameters, *workers_); }),
              testing::AllOf(HasSubstr("has no tensor that the model could use"), HasSubstr("unused       elsewhere")));
}

TEST_F(InitialWeights, AZooNameIsLookedUpInAFolder) {
  const std::string zoo = "detectron2://R-50/model.pkl";
  unsetenv("LOCKSTEP_WEIGHTS");
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { load_initial_weights(zoo, nets_.parameters, *workers_); }),
              HasSubstr("set LOCKSTEP_WEIGHTS to the folder with your weights and put the file there as "
                        "R-50/model.safetensors"));
  setenv("LOCKSTEP_WEIGHTS", folder_.path().c_str(), 1);
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { load_initial_weights(zoo, nets_.parameters, *workers_); }),
              HasSubstr("put the file there as " + folder_.file("R-50/model.safetensors")));
  const Tensor bias = Tensor::from<float>({2}, {5, 6});
  std::filesystem::create_directories(folder_.file("R-50"));
  write_safetensors(folder_.file("R-50/model.safetensors"), {{"first.bias", &bias}});
  load_initial_weights(zoo, nets_.parameters, *workers_);
  EXPECT_EQ(workers_->parameter("first.bias").data<float>()[1], 6);
  unsetenv("LOCKSTEP_WEIGHTS");
}

// A checkpoint, unlike weights, must hold everything.
TEST_F(InitialWeights, ACheckpointMustBeComplete) {
  Checkpoint checkpoint;
  for (const Parameter& parameter : nets_.parameters) {
    for (auto* tensors : {&checkpoint.parameters, &checkpoint.momentum}) {
      Tensor value(DType::kF32, parameter.shape);
      std::fill_n(value.data<float>(), value.size(), tensors == &checkpoint.momentum ? 2.0f : 1.0f);
      tensors->emplace(parameter.name, std::move(value));
    }
  }
  restore_parameters(checkpoint, "a.safetensors", nets_.parameters, *workers_);
  EXPECT_EQ(workers_->parameter("second.bias", 1).data<float>()[0], 1);
  EXPECT_EQ(workers_->parameter("second.bias_momentum", 1).data<float>()[0], 2);

  const auto restore = [&] { restore_parameters(checkpoint, "a.safetensors", nets_.parameters, *workers_); };
  checkpoint.momentum.erase("first.bias");
  EXPECT_THAT(error_text(ErrorKind::kData, restore),
              HasSubstr("a.safetensors has no momentum of 'first.bias', so the run cannot go on from it"));
  checkpoint.parameters.at("first.weight") = Tensor(DType::kF32, {3, 2});
  EXPECT_THAT(error_text(ErrorKind::kData, restore),
              testing::AllOf(HasSubstr("tensor 'first.weight' is f32[3,2], but the model wants f32[2,2]"),
                             HasSubstr("while reading a.safetensors")));
  checkpoint.parameters.erase("first.weight");
  EXPECT_THAT(error_text(ErrorKind::kData, restore), HasSubstr("a.safetensors has no value of 'first.weight'"));
}

TEST(FrozenNormalisation, NeedsWeights) {
  Config config;
  config.model.resnets.norm = "FrozenBN";
  EXPECT_THAT(error_text(ErrorKind::kConfig, [&] { check_trains_without_weights(config); }),
              HasSubstr("MODEL.RESNETS.NORM is FrozenBN and MODEL.WEIGHTS is empty: frozen normalisation cannot train "
                        "from random weights; give MODEL.WEIGHTS, or set MODEL.RESNETS.NORM GN"));
  config.model.resnets.norm = "GN";
  check_trains_without_weights(config);
}

}  // namespace
}  // namespace lockstep
