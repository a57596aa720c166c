// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/base/error.h"
#include "lockstep/graph/print.h"

namespace lockstep {
namespace {

using testing::HasSubstr;
using Kinds = std::vector<std::pair<std::string, ParameterKind>>;

class Layers : public testing::Test {
 protected:
  Layers() {
    layer_.name = "conv";
    layer_.in_channels = 6;
    layer_.out_channels = 4;
    layer_.kernel = 3;
    layer_.stride = 2;
    layer_.padding = 1;
  }

  std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (const OperatorDef& op : model_.net().net().op()) types.push_back(op.type());
    return types;
  }
  Kinds kinds() const {
    Kinds kinds;
    for (const Parameter& parameter : model_.parameters()) kinds.emplace_back(parameter.name, parameter.kind);
    return kinds;
  }

  mutable Model model_{"net", "simple", true};
  Model::Scopes scopes_ = model_.replica({DeviceType::kCpu, 0});
  ConvLayer layer_;
};

TEST_F(Layers, AConvolutionWithoutNormalisationHasABias) {
  layer_.groups = 2;
  layer_.relu = true;
  EXPECT_EQ(add_conv(model_, layer_, "x"), "cpu_0/conv");
  EXPECT_EQ(types(), (std::vector<std::string>{"Conv", "Relu"}));
  EXPECT_EQ(kinds(), (Kinds{{"conv.weight", ParameterKind::kWeight}, {"conv.bias", ParameterKind::kBias}}));
  EXPECT_EQ(model_.parameters()[0].shape, (Shape{4, 3, 3, 3}));
  EXPECT_THAT(net_text(model_.net().net()),
              HasSubstr("cpu_0/conv = Conv(x, cpu_0/conv.weight, cpu_0/conv.bias; group=2, pad=1, stride=2)"));
}

TEST_F(Layers, GroupNormTakesThePlaceOfTheBias) {
  layer_.norm = {"GN", 2};
  EXPECT_EQ(add_conv(model_, layer_, "x"), "cpu_0/conv.norm");
  EXPECT_EQ(types(), (std::vector<std::string>{"Conv", "GroupNorm"}));
  EXPECT_EQ(kinds(), (Kinds{{"conv.weight", ParameterKind::kWeight},
                            {"conv.norm.weight", ParameterKind::kNormScale},
                            {"conv.norm.bias", ParameterKind::kNormBias}}));
}

TEST_F(Layers, FrozenNormalisationHasOnlyBuffers) {
  layer_.norm = {"FrozenBN"};
  EXPECT_EQ(add_conv(model_, layer_, "x"), "cpu_0/conv.norm");
  EXPECT_EQ(types(), (std::vector<std::string>{"Conv", "FrozenBatchNorm"}));
  EXPECT_EQ(kinds(), (Kinds{{"conv.weight", ParameterKind::kWeight},
                            {"conv.norm.weight", ParameterKind::kBuffer},
                            {"conv.norm.bias", ParameterKind::kBuffer},
                            {"conv.norm.running_mean", ParameterKind::kBuffer},
                            {"conv.norm.running_var", ParameterKind::kBuffer}}));
  EXPECT_EQ(model_.trainable_blobs(), (std::set<std::string>{"cpu_0/conv.weight"}));
}

TEST_F(Layers, AFrozenLayerHasNoTrainableBlob) {
  layer_.norm = {"GN", 2};
  layer_.trainable = false;
  add_conv(model_, layer_, "x");
  EXPECT_TRUE(model_.trainable_blobs().empty());
}

// A head that serves several feature maps: its parameters are declared once and read by each.
TEST_F(Layers, ALayerAppliedTwiceSharesItsParameters) {
  EXPECT_EQ(add_conv(model_, layer_, "x", "conv_p2"), "cpu_0/conv_p2");
  EXPECT_EQ(add_conv(model_, layer_, "y", "conv_p3", false), "cpu_0/conv_p3");
  EXPECT_EQ(model_.parameters().size(), 2u);
  const NetDef& net = model_.net().net();
  EXPECT_EQ(net.op(0).input(1), "cpu_0/conv.weight");
  EXPECT_EQ(net.op(1).input(1), "cpu_0/conv.weight");
}

TEST_F(Layers, FullyConnected) {
  FullyConnectedLayer layer;
  layer.name = "fc";
  layer.in_features = 10;
  layer.out_features = 3;
  layer.relu = true;
  EXPECT_EQ(add_fully_connected(model_, layer, "x"), "cpu_0/fc");
  EXPECT_EQ(types(), (std::vector<std::string>{"FC", "Relu"}));
  EXPECT_EQ(model_.parameters()[0].shape, (Shape{3, 10}));
  EXPECT_EQ(model_.parameters()[1].shape, (Shape{3}));
}

TEST_F(Layers, GroupsThatDoNotDivideTheChannelsAreAnError) {
  layer_.norm = {"GN", 3};
  try {
    add_conv(model_, layer_, "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kConfig);
    EXPECT_THAT(error.what(), HasSubstr("layer conv has 4 channels, which 3 groups do not divide; set "
                                        "MODEL.GN_NUM_GROUPS to a divisor"));
  }
}

TEST_F(Layers, AnUnknownNormalisationIsAnError) {
  layer_.norm = {"LN"};
  try {
    add_conv(model_, layer_, "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_THAT(error.what(), HasSubstr("layer conv asks for normalisation 'LN'; there are '', GN and FrozenBN"));
  }
}

}  // namespace
}  // namespace lockstep
