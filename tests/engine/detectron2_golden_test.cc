// SPDX-License-Identifier: Apache-2.0
// The whole detector against Detectron2's own numbers (../shared/goldens/detectron2).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/config/load.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/graph/net.h"
#include "lockstep/io/safetensors.h"

namespace lockstep {
namespace {

std::string scoped(const std::string& name) { return "cpu_0/" + name; }

double number_at(const Tensor& tensor, std::int64_t i) {
  switch (tensor.dtype()) {
    case DType::kF32: return tensor.data<float>()[i];
    case DType::kF64: return tensor.data<double>()[i];
    case DType::kI32: return tensor.data<std::int32_t>()[i];
    case DType::kI64: return static_cast<double>(tensor.data<std::int64_t>()[i]);
    case DType::kU8: return tensor.data<std::uint8_t>()[i];
  }
  return 0;
}

// The elements in row-major order, without the first `skip` columns of each row.
std::vector<double> numbers(const Tensor& tensor, std::int64_t skip = 0) {
  Tensor plain;
  convert_layout(tensor, Layout::kPlain, plain);
  const std::int64_t columns = plain.rank() > 1 ? plain.dim(-1) : 1;
  std::vector<double> values;
  for (std::int64_t i = 0; i < plain.size(); ++i) {
    if (i % columns >= skip) values.push_back(number_at(plain, i));
  }
  return values;
}

class Detectron2Golden : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "../shared/goldens/detectron2" / GetParam();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is absent";
    config_ = load_config(folder / "config.yaml", {"SOLVER.IMS_PER_BATCH", "2", "SOLVER.IMS_PER_MICRO_BATCH", "2"});
    weights_.emplace(folder / "model.safetensors");
    golden_.emplace(folder / "case.safetensors");
    environment_.catalog = &catalog_;
    environment_.workspace = &workspace_;
    environment_.devices = {&device_};
  }

  // `backbone` false: only what stands behind the feature maps.
  void load_parameters(const std::vector<Parameter>& parameters, bool backbone) {
    for (const Parameter& parameter : parameters) {
      if (!backbone && parameter.name.starts_with("backbone.")) continue;
      if (recovered_ && parameter.name.starts_with("backbone.bottom_up.res5.")) continue;
      const bool missing = recovered_ && weights_->find(parameter.name) == nullptr;
      const SafetensorsFile& file = missing ? *recovered_ : *weights_;
      ASSERT_NE(file.find(parameter.name), nullptr) << parameter.name;
      const Tensor value = file.load(parameter.name);
      ASSERT_EQ(value.shape(), parameter.shape) << parameter.name;
      workspace_.feed(scoped(parameter.name), value);
    }
  }

  // Images of the case, normalised and padded together to a multiple of 32.
  void feed_images(const std::vector<int>& indices) {
    std::vector<Tensor> images;
    std::int64_t height = 0, width = 0;
    for (const int i : indices) {
      images.push_back(golden_->load("in." + std::to_string(i) + ".image"));
      height = std::max(height, (images.back().dim(1) + 31) / 32 * 32);
      width = std::max(width, (images.back().dim(2) + 31) / 32 * 32);
    }
    const auto count = static_cast<std::int64_t>(images.size());
    Tensor data(DType::kF32, {count, 3, height, width});
    Tensor info(DType::kF32, {count, 3});
    data.fill_zero();
    for (std::int64_t n = 0; n < count; ++n) {
      const Tensor& image = images[static_cast<std::size_t>(n)];
      const std::int64_t rows = image.dim(1), columns = image.dim(2);
      for (std::int64_t i = 0; i < image.size(); ++i) {
        const std::int64_t c = i / (rows * columns), y = i / columns % rows, x = i % columns;
        const double mean = config_.model.pixel_mean[static_cast<std::size_t>(c)];
        const double deviation = config_.model.pixel_std[static_cast<std::size_t>(c)];
        data.data<float>()[((n * 3 + c) * height + y) * width + x] =
            (static_cast<float>(number_at(image, i)) - static_cast<float>(mean)) / static_cast<float>(deviation);
      }
      info.data<float>()[n * 3] = static_cast<float>(rows);
      info.data<float>()[n * 3 + 1] = static_cast<float>(columns);
      info.data<float>()[n * 3 + 2] = 1.0f;
    }
    workspace_.feed(scoped("data"), data);
    workspace_.feed(scoped("im_info"), info);
  }

  std::string feature_blob(const std::string& level) const {
    if (level == "6") return scoped("backbone.p6");
    return scoped("backbone.fpn_output" + level + (config_.model.fpn.norm.empty() ? "" : ".norm"));
  }

  // Detectron2's own feature maps of these images take the place of the backbone's.
  void feed_features(const std::vector<int>& images) {
    for (const std::string level : {"2", "3", "4", "5", "6"}) {
      std::vector<float> values;
      Shape shape;
      for (const int image : images) {
        const Tensor one = golden_->load("infer." + std::to_string(image) + ".feature.p" + level);
        shape = {static_cast<std::int64_t>(images.size()), one.dim(0), one.dim(1), one.dim(2)};
        values.insert(values.end(), one.data<float>(), one.data<float>() + one.size());
      }
      workspace_.feed(feature_blob(level), Tensor::from<float>(shape, values));
    }
  }

  void feed_sampled_sets() {
    feed_both<std::int32_t>("rpn_labels", "rpn_labels");
    feed_both<float>("rpn_matched_gt", "rpn_matched_gt");
    feed_both<float>("rois", "rois", true);
    feed_both<std::int32_t>("roi_labels", "roi_classes");
    feed_both<float>("roi_matched_gt", "roi_gt_boxes");
    workspace_.feed(scoped("sample_ids"), Tensor::from<std::int64_t>({2}, {0, 1}));
  }

  void expect_detections(const std::string& prefix, const Detections& detections) {
    expect_close(prefix + "proposals", workspace_.fetch(scoped("proposals")), 1);
    expect_close(prefix + "objectness", workspace_.fetch(scoped("proposal_scores")));
    expect_close(prefix + "boxes", workspace_.fetch(detections.boxes));
    expect_close(prefix + "scores", workspace_.fetch(detections.scores));
    expect_close(prefix + "classes", workspace_.fetch(detections.classes));
  }

  void expect_losses() {
    for (const std::string loss : {"loss_cls", "loss_box_reg", "loss_rpn_cls", "loss_rpn_loc"}) {
      expect_close("train.loss." + loss, workspace_.fetch(scoped(loss)));
    }
  }

  // The rows of both images one after another; `rois` also get the number of their image in front.
  template <typename T>
  void feed_both(const std::string& blob, const std::string& name, bool rois = false) {
    std::vector<T> values;
    std::int64_t rows = 0, columns = 0;
    for (int image = 0; image < 2; ++image) {
      const Tensor part = golden_->load("train." + std::to_string(image) + "." + name);
      columns = part.rank() > 1 ? part.dim(1) : 1;
      for (std::int64_t i = 0; i < part.size(); ++i) {
        if (rois && i % columns == 0) values.push_back(static_cast<T>(image));
        values.push_back(static_cast<T>(number_at(part, i)));
      }
      rows += part.dim(0);
    }
    columns += rois ? 1 : 0;
    workspace_.feed(scoped(blob), Tensor::from<T>(columns > 1 ? Shape{rows, columns} : Shape{rows}, values));
  }

  // max|a - b| <= 1e-4 max|b|
  void expect_close(const std::string& golden, const Tensor& found, std::int64_t skip_columns = 0) {
    const std::vector<double> a = numbers(found, skip_columns), b = numbers(golden_->load(golden));
    ASSERT_EQ(a.size(), b.size()) << golden << " " << found.describe();
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference = std::max(difference, std::abs(a[i] - b[i]));
      largest = std::max(largest, std::abs(b[i]));
    }
    EXPECT_LE(difference, 1e-4 * largest) << golden;
    if (largest > 0) worst_ = std::max(worst_, difference / largest);
  }

  // |a - b| <= 1e-3 |b| in the Euclidean norm
  void expect_gradient_close(const std::string& parameter) {
    const std::vector<double> a = numbers(workspace_.fetch(scoped(parameter) + "_grad"));
    const std::vector<double> b = numbers(golden_->load("grad." + parameter));
    ASSERT_EQ(a.size(), b.size()) << parameter;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference += (a[i] - b[i]) * (a[i] - b[i]);
      norm += b[i] * b[i];
    }
    EXPECT_LE(std::sqrt(difference), 1e-3 * std::sqrt(norm)) << parameter;
    if (norm > 0) worst_ = std::max(worst_, std::sqrt(difference / norm));
  }

  Config config_;
  std::optional<SafetensorsFile> weights_, golden_;
  std::optional<SafetensorsFile> recovered_;  // parameters that weights_ lacks
  OpCatalog catalog_ = full_catalog();
  CpuDevice device_{0, 1};
  Workspace workspace_;
  NetEnvironment environment_;
  double worst_ = 0;
};

// A part of a net reads from the workspace what the whole net made itself.
void declare_inputs(NetDef& part) {
  std::set<std::string> sources;
  for (const OperatorDef& op : part.op()) {
    for (const std::string& name : op.input()) {
      if (sources.insert(name).second) part.add_external_input(name);
    }
    sources.insert(op.output().begin(), op.output().end());
  }
}

// Detectron2's sampled sets take the place of our own draws, and nothing is updated.
NetDef without_draws_and_updates(const NetDef& step) {
  const std::set<std::string> left_out = {"DequeueBlobs", "RpnMatch",    "RpnSample", "GenerateProposals",
                                          "SampleRois",   "WeightedSum", "SGDUpdate"};
  NetDef net;
  net.set_name("step");
  for (const OperatorDef& op : step.op()) {
    if (!left_out.contains(op.type())) *net.add_op() = op;
  }
  declare_inputs(net);
  return net;
}

// Without the operators that make nothing but blobs of the backbone and their gradients.
NetDef without_backbone(const NetDef& whole) {
  NetDef net;
  net.set_name(whole.name());
  for (const OperatorDef& op : whole.op()) {
    const bool of_the_backbone =
        op.output_size() > 0 && std::all_of(op.output().begin(), op.output().end(), [](const std::string& blob) {
          return blob.find("backbone.") != std::string::npos;
        });
    if (!of_the_backbone) *net.add_op() = op;
  }
  declare_inputs(net);
  return net;
}

// The whole detector, from pixels.
using Detectron2Whole = Detectron2Golden;

TEST_P(Detectron2Whole, Inference) {
  const TestNets nets = build_test_nets(config_);
  run_net_once(nets.init, environment_);
  load_parameters(nets.parameters, true);
  for (int i = 0; i < 2; ++i) {
    const std::string prefix = "infer." + std::to_string(i) + ".";
    feed_images({i});
    run_net_once(nets.net, environment_);
    for (const std::string level : {"2", "3", "4", "5", "6"}) {
      expect_close(prefix + "feature.p" + level, workspace_.fetch(feature_blob(level)));
    }
    expect_detections(prefix, nets.detections);
  }
  RecordProperty("worst_relative_difference", std::to_string(worst_));
}

TEST_P(Detectron2Whole, LossesAndGradients) {
  const TrainNets nets = build_train_nets(config_, catalog_, 1);
  run_net_once(nets.init, environment_);
  load_parameters(nets.parameters, true);
  feed_images({0, 1});
  feed_sampled_sets();
  run_net_once(without_draws_and_updates(nets.step), environment_);
  expect_losses();
  int compared = 0, trainable = 0;
  for (const std::string& name : golden_->names()) {
    if (!name.starts_with("grad.")) continue;
    expect_gradient_close(name.substr(5));
    ++compared;
  }
  for (const Parameter& parameter : nets.parameters) trainable += parameter.trainable ? 1 : 0;
  EXPECT_EQ(compared, trainable);
  RecordProperty("worst_relative_difference", std::to_string(worst_));
}

INSTANTIATE_TEST_SUITE_P(Models, Detectron2Whole, testing::Values("faster_rcnn_r50_fpn_gn"),
                         [](const auto& one) { return one.param; });

// The part behind the backbone alone, from Detectron2's own feature maps.
class Detectron2Heads : public Detectron2Golden {};

TEST_P(Detectron2Heads, Inference) {
  const TestNets nets = build_test_nets(config_);
  run_net_once(nets.init, environment_);
  load_parameters(nets.parameters, false);
  for (int i = 0; i < 2; ++i) {
    feed_images({i});
    feed_features({i});
    run_net_once(without_backbone(nets.net), environment_);
    expect_detections("infer." + std::to_string(i) + ".", nets.detections);
  }
  RecordProperty("worst_relative_difference", std::to_string(worst_));
}

// Both images are padded to one size, so the features of training are those of inference.
TEST_P(Detectron2Heads, LossesAndGradients) {
  const TrainNets nets = build_train_nets(config_, catalog_, 1);
  run_net_once(nets.init, environment_);
  load_parameters(nets.parameters, false);
  feed_images({0, 1});
  feed_features({0, 1});
  feed_sampled_sets();
  run_net_once(without_backbone(without_draws_and_updates(nets.step)), environment_);
  expect_losses();
  int compared = 0, trainable = 0;
  for (const std::string& name : golden_->names()) {
    if (!name.starts_with("grad.") || name.starts_with("grad.backbone.")) continue;
    expect_gradient_close(name.substr(5));
    ++compared;
  }
  for (const Parameter& parameter : nets.parameters) trainable += parameter.name.starts_with("backbone.") ? 0 : 1;
  EXPECT_EQ(compared, trainable);
  RecordProperty("worst_relative_difference", std::to_string(worst_));
}

INSTANTIATE_TEST_SUITE_P(Models, Detectron2Heads, testing::Values("faster_rcnn_r50_fpn_gn", "faster_rcnn_r18_fpn"),
                         [](const auto& one) { return one.param; });

// R18-FPN with frozen normalisations, from pixels. Its model file has their running_mean and running_var, but neither
// weight nor bias, which are not 1 and 0 there. tools/goldens/recover_frozen_norms.py has fitted those of stem, res2,
// res3 and res4 to the feature maps of both images (57 numbers per unknown, and a wrong architecture could not be
// fitted); losses and gradients of the output convolutions are held out. What is missing: res5, which the feature maps
// do not determine. The input of the top-down path above res4 is fed instead, and no gradient of a bottom-up weight is
// compared.
class Detectron2Frozen : public Detectron2Golden {
 protected:
  void SetUp() override {
    Detectron2Golden::SetUp();
    if (IsSkipped()) return;
    recovered_.emplace(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/engine/data" /
                       (GetParam() + "_norms.safetensors"));
  }

  void feed_top(const std::vector<int>& images) {
    const Tensor both = recovered_->load("inner5");
    const std::int64_t size = both.size() / 2;
    std::vector<float> values;
    for (const int image : images) {
      values.insert(values.end(), both.data<float>() + image * size, both.data<float>() + (image + 1) * size);
    }
    const Shape shape = {static_cast<std::int64_t>(images.size()), both.dim(1), both.dim(2), both.dim(3)};
    workspace_.feed(scoped("backbone.fpn_lateral5"), Tensor::from<float>(shape, values));
  }

  // Without res5, its lateral convolution, and the backward pass through the bottom-up path.
  static NetDef without_top(const NetDef& whole) {
    NetDef net;
    net.set_name(whole.name());
    for (const OperatorDef& op : whole.op()) {
      const auto any = [&](const std::string& text) {
        return std::any_of(op.output().begin(), op.output().end(),
                           [&](const std::string& blob) { return blob.find(text) != std::string::npos; });
      };
      const bool backward = std::all_of(op.output().begin(), op.output().end(), [](const std::string& blob) {
        return blob.find("bottom_up.") != std::string::npos && blob.find("_grad") != std::string::npos;
      });
      const bool top = any("bottom_up.res5") || any("fpn_lateral5.weight") ||
                       (op.output_size() > 0 && op.output(0) == scoped("backbone.fpn_lateral5"));
      if (op.output_size() == 0 || !(backward || top)) *net.add_op() = op;
    }
    declare_inputs(net);
    return net;
  }
};

TEST_P(Detectron2Frozen, Inference) {
  const TestNets nets = build_test_nets(config_);
  run_net_once(nets.init, environment_);
  load_parameters(nets.parameters, true);
  for (int i = 0; i < 2; ++i) {
    const std::string prefix = "infer." + std::to_string(i) + ".";
    feed_images({i});
    feed_top({i});
    run_net_once(without_top(nets.net), environment_);
    for (const std::string level : {"2", "3", "4", "5", "6"}) {
      expect_close(prefix + "feature.p" + level, workspace_.fetch(feature_blob(level)));
    }
    expect_detections(prefix, nets.detections);
  }
  RecordProperty("worst_relative_difference", std::to_string(worst_));
}

TEST_P(Detectron2Frozen, LossesAndGradientsOfThePyramid) {
  const TrainNets nets = build_train_nets(config_, catalog_, 1);
  run_net_once(nets.init, environment_);
  load_parameters(nets.parameters, true);
  feed_images({0, 1});
  feed_top({0, 1});
  feed_sampled_sets();
  run_net_once(without_top(without_draws_and_updates(nets.step)), environment_);
  expect_losses();
  for (const std::string name :
       {"fpn_lateral2", "fpn_lateral3", "fpn_lateral4", "fpn_output2", "fpn_output3", "fpn_output4", "fpn_output5"}) {
    expect_gradient_close("backbone." + name + ".weight");
    expect_gradient_close("backbone." + name + ".bias");
  }
  // FREEZE_AT 2: nothing is trained, and nothing flows back, below res3.
  for (const OperatorDef& op : nets.step.op()) {
    for (const std::string& blob : op.output()) {
      EXPECT_FALSE(blob.find("bottom_up.stem") != std::string::npos && blob.find("_grad") != std::string::npos) << blob;
      EXPECT_FALSE(blob.find("bottom_up.res2") != std::string::npos && blob.find("_grad") != std::string::npos) << blob;
    }
  }
  RecordProperty("worst_relative_difference", std::to_string(worst_));
}

INSTANTIATE_TEST_SUITE_P(Models, Detectron2Frozen, testing::Values("faster_rcnn_r18_fpn"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace lockstep
