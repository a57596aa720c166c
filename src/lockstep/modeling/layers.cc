// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/layers.h"

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// The blob of a parameter that was declared before, or is declared now.
std::string parameter_blob(Model& model, bool declare, const std::string& name, const Shape& shape, ParameterKind kind,
                           const Filler& filler, bool trainable) {
  return declare ? model.parameter(name, shape, kind, filler, trainable) : model.scoped(name);
}

std::string add_group_norm(Model& model, const ConvLayer& layer, const std::string& input, const std::string& output,
                           bool declare) {
  LS_CHECK(kConfig, layer.norm.groups > 0 && layer.out_channels % layer.norm.groups == 0,
           "layer {} has {} channels, which {} groups do not divide; set MODEL.GN_NUM_GROUPS to a divisor", layer.name,
           layer.out_channels, layer.norm.groups);
  const Shape shape = {layer.out_channels};
  const std::string scale = parameter_blob(model, declare, layer.name + ".norm.weight", shape,
                                           ParameterKind::kNormScale, constant_filler(1), layer.trainable);
  const std::string bias = parameter_blob(model, declare, layer.name + ".norm.bias", shape, ParameterKind::kNormBias,
                                          constant_filler(0), layer.trainable);
  model.net().add("GroupNorm", {input, scale, bias}, {output, output + "_mean", output + "_inv_std"},
                  {arg("group", layer.norm.groups)});
  return output;
}

std::string add_frozen_batch_norm(Model& model, const ConvLayer& layer, const std::string& input,
                                  const std::string& output, bool declare) {
  const Shape shape = {layer.out_channels};
  const auto buffer = [&](const std::string& name, double value) {
    return parameter_blob(model, declare, layer.name + ".norm." + name, shape, ParameterKind::kBuffer,
                          constant_filler(value), false);
  };
  const std::string weight = buffer("weight", 1);
  const std::string bias = buffer("bias", 0);
  const std::string mean = buffer("running_mean", 0);
  // FrozenBatchNorm2d of Detectron2 starts at 1 - eps, so that an unloaded layer is the identity.
  const std::string variance = buffer("running_var", 1.0 - 1e-5);
  model.net().add("FrozenBatchNorm", {input, weight, bias, mean, variance}, {output});
  return output;
}

}  // namespace

std::string add_conv(Model& model, const ConvLayer& layer, const std::string& input, const std::string& output,
                     bool declare) {
  const std::string blob = model.scoped(output.empty() ? layer.name : output);
  const bool normalised = !layer.norm.type.empty();
  std::vector<std::string> inputs = {
      input, parameter_blob(model, declare, layer.name + ".weight",
                            {layer.out_channels, layer.in_channels / layer.groups, layer.kernel, layer.kernel},
                            ParameterKind::kWeight, layer.filler, layer.trainable)};
  if (!normalised) {
    inputs.push_back(parameter_blob(model, declare, layer.name + ".bias", {layer.out_channels}, ParameterKind::kBias,
                                    constant_filler(0), layer.trainable));
  }
  model.net().add("Conv", inputs, {blob},
                  {arg("stride", layer.stride), arg("pad", layer.padding), arg("group", layer.groups)});
  std::string result = blob;
  if (layer.norm.type == "GN") {
    result = add_group_norm(model, layer, blob, blob + ".norm", declare);
  } else if (layer.norm.type == "FrozenBN") {
    result = add_frozen_batch_norm(model, layer, blob, blob + ".norm", declare);
  } else {
    LS_CHECK(kUnsupported, !normalised, "layer {} asks for normalisation '{}'; there are '', GN and FrozenBN",
             layer.name, layer.norm.type);
  }
  if (layer.relu) model.net().add("Relu", {result}, {result}, {}, result + ".relu");
  return result;
}

std::string add_fully_connected(Model& model, const FullyConnectedLayer& layer, const std::string& input) {
  const std::string weight = model.parameter(layer.name + ".weight", {layer.out_features, layer.in_features},
                                             ParameterKind::kWeight, layer.filler);
  const std::string bias =
      model.parameter(layer.name + ".bias", {layer.out_features}, ParameterKind::kBias, constant_filler(0));
  const std::string blob = model.scoped(layer.name);
  model.net().add("FC", {input, weight, bias}, {blob});
  if (layer.relu) model.net().add("Relu", {blob}, {blob}, {}, blob + ".relu");
  return blob;
}

}  // namespace lockstep
