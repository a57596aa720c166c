// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/resnet.h"

#include <algorithm>
#include <array>

#include "lockstep/base/check.h"
#include "lockstep/modeling/layers.h"

namespace lockstep {
namespace {

std::array<int, 4> blocks_per_stage(int depth) {
  switch (depth) {
    case 18: return {2, 2, 2, 2};
    case 34: return {3, 4, 6, 3};
    case 50: return {3, 4, 6, 3};
    case 101: return {3, 4, 23, 3};
    case 152: return {3, 8, 36, 3};
    default: LS_THROW(kUnsupported, "MODEL.RESNETS.DEPTH is {}; there are 18, 34, 50, 101 and 152", depth);
  }
}

struct Block {
  std::string name;
  int in_channels;
  int bottleneck_channels;  // 0 for the basic block of depths 18 and 34
  int out_channels;
  int stride;
  int groups;
  bool stride_in_1x1;
  Norm norm;
  bool trainable;
};

ConvLayer block_conv(const Block& block, const std::string& name, int in, int out, int kernel, int stride, bool relu) {
  return {.name = block.name + "." + name,
          .in_channels = in,
          .out_channels = out,
          .kernel = kernel,
          .stride = stride,
          .padding = kernel / 2,
          .norm = block.norm,
          .relu = relu,
          .trainable = block.trainable};
}

// The residual branch: two 3x3 convolutions, or 1x1, 3x3, 1x1 with a narrow middle.
std::string add_branch(Model& model, const Block& block, const std::string& input) {
  const int in = block.in_channels;
  const int middle = block.bottleneck_channels;
  const int out = block.out_channels;
  if (middle == 0) {
    const auto first = add_conv(model, block_conv(block, "conv1", in, out, 3, block.stride, true), input);
    return add_conv(model, block_conv(block, "conv2", out, out, 3, 1, false), first);
  }
  const int stride1 = block.stride_in_1x1 ? block.stride : 1;
  const int stride3 = block.stride_in_1x1 ? 1 : block.stride;
  const auto first = add_conv(model, block_conv(block, "conv1", in, middle, 1, stride1, true), input);
  ConvLayer second = block_conv(block, "conv2", middle, middle, 3, stride3, true);
  second.groups = block.groups;
  return add_conv(model, block_conv(block, "conv3", middle, out, 1, 1, false), add_conv(model, second, first));
}

std::string add_block(Model& model, const Block& block, const std::string& input) {
  // Detectron2 declares the shortcut first; the order decides how replicas are paired and files are written.
  std::string shortcut = input;
  if (block.in_channels != block.out_channels) {
    shortcut = add_conv(
        model, block_conv(block, "shortcut", block.in_channels, block.out_channels, 1, block.stride, false), input);
  }
  const std::string branch = add_branch(model, block, input);
  const std::string output = model.scoped(block.name);
  model.net().add("Add", {branch, shortcut}, {output});
  model.net().add("Relu", {output}, {output}, {}, output + ".relu");
  return output;
}

}  // namespace

Features add_resnet(Model& model, const Config& config, const std::string& prefix, const std::string& image) {
  const ResNetsConfig& resnets = config.model.resnets;
  const int freeze_at = config.model.backbone.freeze_at;
  const std::array<int, 4> blocks = blocks_per_stage(resnets.depth);
  const bool basic = resnets.depth < 50;
  const Norm norm{resnets.norm, config.model.gn_num_groups};

  std::string x = add_conv(model,
                           {.name = prefix + "stem.conv1",
                            .in_channels = 3,
                            .out_channels = resnets.stem_out_channels,
                            .kernel = 7,
                            .stride = 2,
                            .padding = 3,
                            .norm = norm,
                            .relu = true,
                            .trainable = freeze_at < 1},
                           image);
  const std::string pooled = model.scoped(prefix + "stem.pool");
  std::vector<std::string> pool_outputs = {pooled};
  if (model.training()) pool_outputs.push_back(pooled + "_index");
  model.net().add("MaxPool", {x}, pool_outputs, {arg("kernel", 3), arg("stride", 2), arg("pad", 1)});
  x = pooled;

  Features features;
  int in_channels = resnets.stem_out_channels;
  int out_channels = resnets.res2_out_channels;
  int bottleneck = resnets.num_groups * resnets.width_per_group;
  int stride = 4;
  for (int stage = 2; stage <= 5; ++stage) {
    const std::string name = "res" + std::to_string(stage);
    if (stage > 2) stride *= 2;
    for (int b = 0; b < blocks[static_cast<std::size_t>(stage - 2)]; ++b) {
      x = add_block(model,
                    {.name = prefix + name + "." + std::to_string(b),
                     .in_channels = in_channels,
                     .bottleneck_channels = basic ? 0 : bottleneck,
                     .out_channels = out_channels,
                     .stride = b == 0 && stage > 2 ? 2 : 1,
                     .groups = resnets.num_groups,
                     .stride_in_1x1 = resnets.stride_in_1x1,
                     .norm = norm,
                     .trainable = freeze_at < stage},
                    x);
      in_channels = out_channels;
    }
    features[name] = {x, out_channels, stride};
    out_channels *= 2;
    bottleneck *= 2;
  }
  return features;
}

}  // namespace lockstep
