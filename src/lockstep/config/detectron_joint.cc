// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/detectron_joint.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "lockstep/base/text.h"
#include "lockstep/config/value_codec.h"

namespace lockstep {
namespace {

using Problem = std::optional<std::string>;

// Reads typed values; the first one of the wrong type is the problem.
class Reader {
 public:
  explicit Reader(const DetectronValue& value) : value_(value) {}

  template <typename T>
  T get(const std::string& path) {
    T out{};
    const Value found = value_(path);
    const auto wanted = fit(found, out);
    if (wanted && !problem_) problem_ = fmt::format("{}: found {}, wanted {}", path, describe(found), *wanted);
    return out;
  }
  std::int64_t at_least(std::int64_t least, const std::string& path) {
    const auto value = get<std::int64_t>(path);
    if (value < least && !problem_) problem_ = fmt::format("{}: found {}, wanted at least {}", path, value, least);
    return value;
  }
  const Problem& problem() const { return problem_; }

 private:
  const DetectronValue& value_;
  Problem problem_;
};

Problem batch(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const std::int64_t images = read.at_least(1, "TRAIN.IMS_PER_BATCH");
  const std::int64_t workers = read.at_least(1, "NUM_GPUS");
  constexpr std::int64_t kMost = 1000000;  // of SOLVER.IMS_PER_BATCH
  if (read.problem()) return read.problem();
  if (images > kMost || workers > kMost || images * workers > kMost) {
    return fmt::format("TRAIN.IMS_PER_BATCH: found {} images times {} NUM_GPUS, wanted at most {} images", images,
                       workers, kMost);
  }
  out = {{"SOLVER.IMS_PER_BATCH", Value(images * workers)}};
  return std::nullopt;
}

Problem checkpoints(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const std::int64_t period = read.at_least(1, "TRAIN.SNAPSHOT_ITERS");
  const std::int64_t workers = read.at_least(1, "NUM_GPUS");
  if (read.problem()) return read.problem();
  if (period < workers) {
    return fmt::format("TRAIN.SNAPSHOT_ITERS: found {} for {} NUM_GPUS, wanted at least one iteration per worker",
                       period, workers);
  }
  out = {{"SOLVER.CHECKPOINT_PERIOD", Value(period / workers)}};
  return std::nullopt;
}

Problem roi_thresholds(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const auto foreground = read.get<double>("TRAIN.FG_THRESH");
  const auto high = read.get<double>("TRAIN.BG_THRESH_HI");
  const auto low = read.get<double>("TRAIN.BG_THRESH_LO");
  const auto box = read.get<double>("TRAIN.BBOX_THRESH");
  if (read.problem()) return read.problem();
  if (!(0 <= low && low < high && high <= foreground)) {
    return fmt::format(
        "TRAIN.BG_THRESH_LO, BG_THRESH_HI and FG_THRESH: found {}, {} and {}, wanted 0 <= LO < HI <= FG_THRESH", low,
        high, foreground);
  }
  if (box > foreground) {
    return fmt::format("TRAIN.BBOX_THRESH: found {} with FG_THRESH {}, wanted at most FG_THRESH", box, foreground);
  }
  // Regions below `low`, and those between `high` and `foreground`, are left out.
  Value::List thresholds;
  Value::List labels;
  if (low > 0) thresholds.emplace_back(low), labels.emplace_back(-1);
  thresholds.emplace_back(high), labels.emplace_back(0);
  if (foreground > high) thresholds.emplace_back(foreground), labels.emplace_back(-1);
  labels.emplace_back(1);
  out = {{"MODEL.ROI_HEADS.IOU_THRESHOLDS", thresholds}, {"MODEL.ROI_HEADS.IOU_LABELS", labels}};
  return std::nullopt;
}

Problem rpn_thresholds(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const auto negative = read.get<double>("TRAIN.RPN_NEGATIVE_OVERLAP");
  const auto positive = read.get<double>("TRAIN.RPN_POSITIVE_OVERLAP");
  if (read.problem()) return read.problem();
  if (!(negative <= positive)) {
    return fmt::format("TRAIN.RPN_NEGATIVE_OVERLAP: found {}, wanted at most RPN_POSITIVE_OVERLAP ({})", negative,
                       positive);
  }
  const bool has_gap = negative < positive;
  out = {{"MODEL.RPN.IOU_THRESHOLDS", has_gap ? Value::List{negative, positive} : Value::List{positive}},
         {"MODEL.RPN.IOU_LABELS", has_gap ? Value::List{0, -1, 1} : Value::List{0, 1}}};
  return std::nullopt;
}

Problem rpn_nms(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const auto train = read.get<double>("TRAIN.RPN_NMS_THRESH");
  const auto test = read.get<double>("TEST.RPN_NMS_THRESH");
  if (read.problem()) return read.problem();
  if (train != test) {
    return fmt::format(
        "TRAIN.RPN_NMS_THRESH and TEST.RPN_NMS_THRESH: found {} and {}, wanted one value; MODEL.RPN.NMS_THRESH is for "
        "training and evaluation",
        train, test);
  }
  out = {{"MODEL.RPN.NMS_THRESH", Value(train)}};
  return std::nullopt;
}

Problem norm(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  std::map<std::string, int> kinds;
  std::string found;
  for (const auto& [path, frozen, group] :
       {std::tuple{"RESNETS.TRANS_FUNC", "bottleneck_transformation", "bottleneck_gn_transformation"},
        std::tuple{"RESNETS.STEM_FUNC", "basic_bn_stem", "basic_gn_stem"},
        std::tuple{"RESNETS.SHORTCUT_FUNC", "basic_bn_shortcut", "basic_gn_shortcut"}}) {
    const auto name = read.get<std::string>(path);
    if (read.problem()) return read.problem();
    if (name != frozen && name != group) {
      return fmt::format("{}: found '{}', wanted {} or {}", path, name, frozen, group);
    }
    kinds[name == group ? "GN" : "FrozenBN"] += 1;
    found += (found.empty() ? "" : ", ") + name;
  }
  if (kinds.size() > 1) {
    return fmt::format(
        "RESNETS.TRANS_FUNC, STEM_FUNC and SHORTCUT_FUNC: found {}, wanted one normalisation; MODEL.RESNETS.NORM is "
        "for the whole network",
        found);
  }
  out = {{"MODEL.RESNETS.NORM", kinds.begin()->first}};
  return std::nullopt;
}

// A function's name without its module: "FPN.add_x" is add_x.
std::string function_name(const std::string& name) { return name.substr(name.rfind('.') + 1); }

Problem box_head(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const auto name = function_name(read.get<std::string>("FAST_RCNN.ROI_BOX_HEAD"));
  const std::int64_t stacked = read.at_least(0, "FAST_RCNN.NUM_STACKED_CONVS");
  if (read.problem()) return read.problem();
  struct Head {
    const char* heads;
    const char* name;
    std::int64_t convs;
    int fcs;
    const char* norm;
  };
  constexpr char kStandard[] = "StandardROIHeads";
  constexpr char kConvFc[] = "FastRCNNConvFCHead";
  const std::map<std::string, Head> heads = {
      {"add_roi_2mlp_head", {kStandard, kConvFc, 0, 2, ""}},
      {"add_roi_Xconv1fc_head", {kStandard, kConvFc, stacked, 1, ""}},
      {"add_roi_Xconv1fc_gn_head", {kStandard, kConvFc, stacked, 1, "GN"}},
      {"add_ResNet_roi_conv5_head", {"Res5ROIHeads", "", 0, 0, ""}},
  };
  const auto found = heads.find(name);
  if (found == heads.end()) {
    std::vector<std::string> names;
    for (const auto& head : heads) names.push_back(head.first);
    return fmt::format("FAST_RCNN.ROI_BOX_HEAD: found '{}', wanted one of {}", name, join_words(names));
  }
  const Head& head = found->second;
  out = {{"MODEL.ROI_HEADS.NAME", head.heads},
         {"MODEL.ROI_BOX_HEAD.NAME", head.name},
         {"MODEL.ROI_BOX_HEAD.NUM_CONV", Value(head.convs)},
         {"MODEL.ROI_BOX_HEAD.NUM_FC", head.fcs},
         {"MODEL.ROI_BOX_HEAD.NORM", head.norm}};
  return std::nullopt;
}

// "p2" to "p6"; the problem when the range is not within `least` and `most`.
Problem levels(const std::string& prefix, std::int64_t least, std::int64_t most, Reader& read, Value::List& out) {
  const auto low = read.get<std::int64_t>(prefix + "_MIN_LEVEL");
  const auto high = read.get<std::int64_t>(prefix + "_MAX_LEVEL");
  if (read.problem()) return read.problem();
  if (!(least <= low && low <= high && high <= most)) {
    return fmt::format("{0}_MIN_LEVEL and MAX_LEVEL: found {1} and {2}, wanted levels from {3} to {4}", prefix, low,
                       high, least, most);
  }
  for (std::int64_t level = low; level <= high; ++level) out.emplace_back(fmt::format("p{}", level));
  return std::nullopt;
}

Problem pyramid(Reader& read, Assignments& out) {
  for (const char* path : {"FPN.FPN_ON", "FPN.MULTILEVEL_ROIS", "FPN.MULTILEVEL_RPN"}) {
    const bool on = read.get<bool>(path);
    if (read.problem()) return read.problem();
    if (!on) return fmt::format("{}: found false with a MODEL.CONV_BODY that is a pyramid, wanted true", path);
  }
  Value::List rpn;
  Value::List roi;
  if (auto problem = levels("FPN.RPN", 2, 6, read, rpn)) return problem;
  if (auto problem = levels("FPN.ROI", 2, 5, read, roi)) return problem;
  const auto start = read.get<double>("FPN.RPN_ANCHOR_START_SIZE");
  const auto ratios = read.get<std::vector<double>>("FPN.RPN_ASPECT_RATIOS");
  if (read.problem()) return read.problem();
  Value::List sizes;
  double size = start;
  for (std::size_t i = 0; i < rpn.size(); ++i, size *= 2) sizes.emplace_back(Value::List{size});
  const Value::List stages = {"res2", "res3", "res4", "res5"};
  out.insert(out.end(), {{"MODEL.BACKBONE.NAME", "build_resnet_fpn_backbone"},
                         {"MODEL.RESNETS.OUT_FEATURES", stages},
                         {"MODEL.FPN.IN_FEATURES", stages},
                         {"MODEL.RPN.IN_FEATURES", rpn},
                         {"MODEL.ROI_HEADS.IN_FEATURES", roi},
                         {"MODEL.ANCHOR_GENERATOR.SIZES", sizes},
                         {"MODEL.ANCHOR_GENERATOR.ASPECT_RATIOS", Value::List{to_value(ratios)}}});
  return std::nullopt;
}

Problem single_level(Reader& read, Assignments& out) {
  for (const char* path : {"FPN.FPN_ON", "FPN.MULTILEVEL_ROIS", "FPN.MULTILEVEL_RPN"}) {
    const bool on = read.get<bool>(path);
    if (read.problem()) return read.problem();
    if (on) return fmt::format("{}: found true with a MODEL.CONV_BODY that is no pyramid, wanted false", path);
  }
  const auto stride = read.get<std::int64_t>("RPN.STRIDE");
  const auto sizes = read.get<std::vector<double>>("RPN.SIZES");
  const auto ratios = read.get<std::vector<double>>("RPN.ASPECT_RATIOS");
  if (read.problem()) return read.problem();
  if (stride != 16) return fmt::format("RPN.STRIDE: found {}, wanted 16, the stride of res4", stride);
  const Value::List stage = {"res4"};
  out.insert(out.end(), {{"MODEL.BACKBONE.NAME", "build_resnet_backbone"},
                         {"MODEL.RESNETS.OUT_FEATURES", stage},
                         {"MODEL.RPN.IN_FEATURES", stage},
                         {"MODEL.ROI_HEADS.IN_FEATURES", stage},
                         {"MODEL.ANCHOR_GENERATOR.SIZES", Value::List{to_value(sizes)}},
                         {"MODEL.ANCHOR_GENERATOR.ASPECT_RATIOS", Value::List{to_value(ratios)}}});
  return std::nullopt;
}

Problem body(const DetectronValue& value, Assignments& out) {
  Reader read(value);
  const auto name = function_name(read.get<std::string>("MODEL.CONV_BODY"));
  if (read.problem()) return read.problem();
  for (const int depth : {50, 101, 152}) {
    const bool is_pyramid = name == fmt::format("add_fpn_ResNet{}_conv5_body", depth);
    if (!is_pyramid && name != fmt::format("add_ResNet{}_conv4_body", depth)) continue;
    out = {{"MODEL.RESNETS.DEPTH", depth}};
    return is_pyramid ? pyramid(read, out) : single_level(read, out);
  }
  return fmt::format(
      "MODEL.CONV_BODY: found '{}', wanted add_fpn_ResNetN_conv5_body or add_ResNetN_conv4_body with N 50, 101 or 152",
      name);
}

}  // namespace

const std::vector<DetectronFamily>& detectron_families() {
  static const std::vector<DetectronFamily> families = {
      {{"TRAIN.IMS_PER_BATCH"}, {"NUM_GPUS"}, false, batch},
      {{"TRAIN.SNAPSHOT_ITERS"}, {"NUM_GPUS"}, false, checkpoints},
      {{"TRAIN.FG_THRESH", "TRAIN.BG_THRESH_HI", "TRAIN.BG_THRESH_LO", "TRAIN.BBOX_THRESH"}, {}, false, roi_thresholds},
      {{"TRAIN.RPN_POSITIVE_OVERLAP", "TRAIN.RPN_NEGATIVE_OVERLAP"}, {}, false, rpn_thresholds},
      {{"TRAIN.RPN_NMS_THRESH", "TEST.RPN_NMS_THRESH"}, {}, false, rpn_nms},
      {{"RESNETS.TRANS_FUNC", "RESNETS.STEM_FUNC", "RESNETS.SHORTCUT_FUNC"}, {}, false, norm},
      {{"FAST_RCNN.ROI_BOX_HEAD", "FAST_RCNN.NUM_STACKED_CONVS"}, {}, true, box_head},
      {{"MODEL.CONV_BODY", "RPN.SIZES", "RPN.STRIDE", "RPN.ASPECT_RATIOS", "FPN.FPN_ON", "FPN.MULTILEVEL_ROIS",
        "FPN.ROI_MAX_LEVEL", "FPN.ROI_MIN_LEVEL", "FPN.MULTILEVEL_RPN", "FPN.RPN_MAX_LEVEL", "FPN.RPN_MIN_LEVEL",
        "FPN.RPN_ASPECT_RATIOS", "FPN.RPN_ANCHOR_START_SIZE"},
       {},
       true,
       body},
  };
  return families;
}

}  // namespace lockstep
