// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/support.h"

#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/problems.h"
#include "lockstep/config/resolve_epochs.h"

namespace lockstep {
namespace {

void check_schedule(const SolverConfig& solver, ConfigProblems& problems) {
  if (solver.ims_per_batch % solver.ims_per_micro_batch != 0) {
    problems.add(fmt::format("SOLVER.IMS_PER_BATCH: found {}, wanted a multiple of SOLVER.IMS_PER_MICRO_BATCH ({})",
                             solver.ims_per_batch, solver.ims_per_micro_batch));
  }
  // Epochs and iterations are compared once the data set has made iterations of both.
  for (std::size_t i = 1; i < solver.steps.size(); ++i) {
    const TrainingTime& before = solver.steps[i - 1];
    const TrainingTime& after = solver.steps[i];
    if (before.in_epochs() != after.in_epochs()) continue;
    const bool rises = after.in_epochs() ? after.epochs() > before.epochs() : after.iterations() > before.iterations();
    if (rises) continue;
    problems.add(
        fmt::format("SOLVER.STEPS: found {} after {}, wanted increasing times", to_string(after), to_string(before)));
  }
}

void check_matcher(const std::string& section, const std::vector<double>& thresholds, const std::vector<int>& labels,
                   ConfigProblems& problems) {
  if (labels.size() != thresholds.size() + 1) {
    problems.add(
        fmt::format("{}.IOU_LABELS: found {} labels for {} IOU_THRESHOLDS, wanted one more label than thresholds",
                    section, labels.size(), thresholds.size()));
  }
  if (!std::is_sorted(thresholds.begin(), thresholds.end())) {
    problems.add(section + ".IOU_THRESHOLDS: found a falling list, wanted rising thresholds");
  }
}

void check_length(const std::string& path, std::size_t found, std::size_t wanted, ConfigProblems& problems) {
  if (found != wanted) problems.add(fmt::format("{}: found {} values, wanted {}", path, found, wanted));
}

// One list per level, or one for all levels.
void check_levels(const std::string& path, const std::vector<std::vector<double>>& lists, std::size_t levels,
                  ConfigProblems& problems) {
  if (lists.size() != 1 && lists.size() != levels) {
    problems.add(fmt::format("{}: found {} lists, wanted 1 or one per feature map of MODEL.RPN.IN_FEATURES ({})", path,
                             lists.size(), levels));
  }
  const bool has_empty = std::any_of(lists.begin(), lists.end(), [](const auto& list) { return list.empty(); });
  if (has_empty) problems.add(path + ": found an empty list, wanted at least one value per level");
}

// The head has one set of filters for all levels, so every level has as many anchors per cell.
void check_anchors(const AnchorGeneratorConfig& anchors, std::size_t levels, ConfigProblems& problems) {
  check_levels("MODEL.ANCHOR_GENERATOR.SIZES", anchors.sizes, levels, problems);
  check_levels("MODEL.ANCHOR_GENERATOR.ASPECT_RATIOS", anchors.aspect_ratios, levels, problems);
  const auto count = [](const auto& lists, std::size_t level) {
    return lists.empty() ? 0 : lists[level < lists.size() ? level : 0].size();
  };
  const auto per_cell = [&](std::size_t level) {
    return count(anchors.sizes, level) * count(anchors.aspect_ratios, level);
  };
  for (std::size_t level = 1; level < levels; ++level) {
    if (per_cell(level) == per_cell(0)) continue;
    problems.add(
        fmt::format("MODEL.ANCHOR_GENERATOR: found {} anchors per cell (sizes x ratios) on feature map {} and {} on "
                    "the first, wanted the same number on all",
                    per_cell(level), level + 1, per_cell(0)));
    return;
  }
}

void check_crop(const CropConfig& crop, ConfigProblems& problems) {
  check_length("INPUT.CROP.SIZE", crop.size.size(), 2, problems);
  if (crop.size.size() != 2) return;
  const auto add = [&](const char* wanted) {
    problems.add(fmt::format("INPUT.CROP.SIZE: found [{}, {}] with TYPE {}, wanted {}", crop.size[0], crop.size[1],
                             crop.type, wanted));
  };
  const auto all = [&](const auto& holds) { return std::all_of(crop.size.begin(), crop.size.end(), holds); };
  if (crop.type.starts_with("relative")) {
    if (!all([](double part) { return part > 0 && part <= 1; })) add("parts above 0, up to 1");
  } else if (!all([](double pixels) { return pixels >= 1 && pixels <= 1e9 && pixels == std::floor(pixels); })) {
    add("whole pixels, at least 1");
  } else if (crop.type == "absolute_range" && crop.size[0] > crop.size[1]) {
    add("the smaller size first");
  }
}

void check_factor(const char* path, const std::vector<double>& range, ConfigProblems& problems) {
  check_length(path, range.size(), 2, problems);
  if (range.size() == 2 && range[0] > range[1]) {
    problems.add(
        fmt::format("{}: found the range {} to {}, wanted the smaller factor first", path, range[0], range[1]));
  }
}

void check_input(const InputConfig& input, ConfigProblems& problems) {
  if (input.crop.enabled) check_crop(input.crop, problems);
  check_factor("INPUT.BRIGHTNESS", input.brightness, problems);
  check_factor("INPUT.CONTRAST", input.contrast, problems);
  check_factor("INPUT.SATURATION", input.saturation, problems);
  const std::size_t sizes = input.min_size_train.size();
  if (input.min_size_train_sampling == "range" && sizes != 2) {
    problems.add(
        fmt::format("INPUT.MIN_SIZE_TRAIN: found {} sizes with MIN_SIZE_TRAIN_SAMPLING range, wanted 2", sizes));
  } else if (input.min_size_train_sampling == "range" && input.min_size_train[0] > input.min_size_train[1]) {
    problems.add(fmt::format("INPUT.MIN_SIZE_TRAIN: found the range {} to {}, wanted the smaller size first",
                             input.min_size_train[0], input.min_size_train[1]));
  } else if (sizes == 0) {
    problems.add("INPUT.MIN_SIZE_TRAIN: found no size, wanted at least one");
  }
}

void check_model(const ModelConfig& model, ConfigProblems& problems) {
  check_length("MODEL.PIXEL_MEAN", model.pixel_mean.size(), 3, problems);
  check_length("MODEL.PIXEL_STD", model.pixel_std.size(), 3, problems);
  check_length("MODEL.RPN.BBOX_REG_WEIGHTS", model.rpn.bbox_reg_weights.size(), 4, problems);
  check_length("MODEL.ROI_BOX_HEAD.BBOX_REG_WEIGHTS", model.roi_box_head.bbox_reg_weights.size(), 4, problems);
  check_matcher("MODEL.RPN", model.rpn.iou_thresholds, model.rpn.iou_labels, problems);
  check_matcher("MODEL.ROI_HEADS", model.roi_heads.iou_thresholds, model.roi_heads.iou_labels, problems);
  check_anchors(model.anchor_generator, model.rpn.in_features.size(), problems);
  for (const std::string& name : model.fpn.in_features) {
    const auto& out = model.resnets.out_features;
    if (std::find(out.begin(), out.end(), name) == out.end()) {
      problems.add(
          fmt::format("MODEL.FPN.IN_FEATURES: found '{}', wanted names from MODEL.RESNETS.OUT_FEATURES", name));
    }
  }
  if (model.fpn.in_features.empty())
    problems.add("MODEL.FPN.IN_FEATURES: found none, wanted stages such as [res2, res3, res4, res5]");
  const auto check_groups = [&](const std::string& path, const std::string& norm, int channels) {
    if (norm == "GN" && channels % model.gn_num_groups != 0) {
      problems.add(fmt::format("{}: found {} channels with NORM GN, wanted a multiple of MODEL.GN_NUM_GROUPS ({})",
                               path, channels, model.gn_num_groups));
    }
  };
  check_groups("MODEL.RESNETS.STEM_OUT_CHANNELS", model.resnets.norm, model.resnets.stem_out_channels);
  check_groups("MODEL.RESNETS.RES2_OUT_CHANNELS", model.resnets.norm, model.resnets.res2_out_channels);
  if (model.resnets.depth >= 50) {
    check_groups("MODEL.RESNETS.WIDTH_PER_GROUP", model.resnets.norm, model.resnets.width_per_group);
  }
  check_groups("MODEL.FPN.OUT_CHANNELS", model.fpn.norm, model.fpn.out_channels);
  if (model.roi_box_head.num_conv > 0) {
    check_groups("MODEL.ROI_BOX_HEAD.CONV_DIM", model.roi_box_head.norm, model.roi_box_head.conv_dim);
  }
}

ConfigProblems find_contradictions(const Config& config) {
  ConfigProblems problems;
  check_schedule(config.solver, problems);
  const std::string length = training_length_problem(config);
  if (!length.empty()) problems.add(length);
  check_input(config.input, problems);
  check_model(config.model, problems);
  return problems;
}

}  // namespace

std::vector<ConfigRemark> unsupported_values(const Config& config) {
  std::vector<ConfigRemark> remarks;
  for (const KeyInfo& key : key_table()) {
    const Value value = key.get(config);
    if (!key.is_supported || key.is_supported(value)) continue;
    remarks.push_back({key.path, to_flow_yaml(value), "this version runs " + key.supported_text});
  }
  return remarks;
}

std::vector<ConfigRemark> unused_values(const Config& config) {
  const Config defaults;
  std::vector<ConfigRemark> remarks;
  for (const KeyInfo& key : key_table()) {
    const Value value = key.get(config);
    if (key.key_class != KeyClass::kNoEffect || value == key.get(defaults)) continue;
    remarks.push_back({key.path, to_flow_yaml(value), "has no effect in this version"});
  }
  return remarks;
}

std::vector<std::string> contradictions(const Config& config) { return find_contradictions(config).list(); }

void check_supported(const Config& config) {
  const auto refused = unsupported_values(config);
  if (!refused.empty()) {
    std::string text = "this config asks for what Lockstep does not run:";
    for (const auto& remark : refused) {
      text += fmt::format("\n  {}: found {}; {}", remark.path, remark.value, remark.text);
    }
    LS_THROW(kUnsupported, "{}\nset these keys to values that run, or use another config; docs/config.md lists them",
             text);
  }
  find_contradictions(config).throw_if_any("the config");
}

}  // namespace lockstep
