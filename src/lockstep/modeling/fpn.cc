// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/fpn.h"

#include <bit>

#include "lockstep/base/check.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

ConvLayer pyramid_conv(const Config& config, const std::string& kind, int level, int in_channels, int kernel) {
  return {.name = "backbone.fpn_" + kind + std::to_string(level),
          .in_channels = in_channels,
          .out_channels = config.model.fpn.out_channels,
          .kernel = kernel,
          .padding = kernel / 2,
          .norm = {config.model.fpn.norm, config.model.gn_num_groups},
          .filler = xavier_filler()};
}

}  // namespace

Features add_resnet_fpn(Model& model, const Config& config, const std::string& image) {
  const Features bottom_up = add_resnet(model, config, "backbone.bottom_up.", image);
  const std::vector<std::string>& names = config.model.fpn.in_features;
  LS_CHECK(kConfig, !names.empty(),
           "MODEL.FPN.IN_FEATURES is empty; wanted for example (\"res2\", \"res3\", \"res4\", \"res5\")");
  Features pyramid;
  std::string from_above;
  int top_level = 0;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const auto found = bottom_up.find(*name);
    LS_CHECK(kConfig, found != bottom_up.end(),
             "MODEL.FPN.IN_FEATURES names '{}'; a ResNet has res2, res3, res4 and res5", *name);
    const Feature& feature = found->second;
    const int level = std::countr_zero(static_cast<unsigned>(feature.stride));
    top_level = std::max(top_level, level);
    std::string merged = add_conv(model, pyramid_conv(config, "lateral", level, feature.channels, 1), feature.blob);
    if (!from_above.empty()) {
      const std::string upsampled = model.scoped("backbone.fpn_top_down" + std::to_string(level));
      model.net().add("UpsampleNearest", {from_above}, {upsampled}, {arg("scale", 2)});
      const std::string sum = model.scoped("backbone.fpn_merged" + std::to_string(level));
      model.net().add("Add", {merged, upsampled}, {sum});
      merged = sum;
    }
    const ConvLayer output = pyramid_conv(config, "output", level, config.model.fpn.out_channels, 3);
    pyramid["p" + std::to_string(level)] = {add_conv(model, output, merged), output.out_channels, feature.stride};
    from_above = merged;
  }
  const Feature top = pyramid.at("p" + std::to_string(top_level));
  const std::string name = "p" + std::to_string(top_level + 1);
  const std::string blob = model.scoped("backbone." + name);
  std::vector<std::string> outputs = {blob};
  if (model.training()) outputs.push_back(blob + "_index");
  model.net().add("MaxPool", {top.blob}, outputs, {arg("kernel", 1), arg("stride", 2), arg("pad", 0)});
  pyramid[name] = {blob, top.channels, top.stride * 2};
  return pyramid;
}

}  // namespace lockstep
