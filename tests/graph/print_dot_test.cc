// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/graph/net_builder.h"
#include "lockstep/graph/print.h"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PrintDot, OneBoxPerModuleAndStageInClusters) {
  NetBuilder b("step", "dag");
  const auto device = b.device_scope({DeviceType::kCpu, 1});
  b.add("Conv", {"data", "w"}, {"net.res2.0.conv1"});
  b.add("Relu", {"net.res2.0.conv1"}, {"net.res2.0.relu"});
  b.add("Conv", {"net.res2.0.relu", "w2"}, {"net.res2.0.conv2"});
  b.add("Total", {"net.res2.0.conv2"}, {"cpu_1/loss"});
  b.add("TotalGradient", {"cpu_1/loss"}, {"_net.res2.0.conv2_grad_autosplit_0"}).set_is_gradient_op(true);
  b.add("ConvGradient", {"_net.res2.0.conv2_grad_autosplit_0", "net.res2.0.relu", "net.res2.0.conv1"}, {"w_grad"})
      .set_is_gradient_op(true);
  b.add("Update", {"w_grad"}, {"w"});
  b.add("Update", {"w_grad"}, {"w2"});
  EXPECT_EQ(net_dot(b.net()),
            "digraph \"step\" {\n"
            "  graph [fontname=\"Helvetica\"];\n"
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11];\n"
            "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#606060\"];\n"
            "  subgraph cluster_0 {\n"
            "    label=\"cpu:1\";\n"
            "    subgraph cluster_1 {\n"
            "      label=\"forward\"; style=filled; color=\"#dcebf7\";\n"
            "      b0 [label=\"net.res2.0\\nConv ×2, Relu\"];\n"
            "      b1 [label=\"Total\"];\n"
            "    }\n"
            "    subgraph cluster_2 {\n"
            "      label=\"backward\"; style=filled; color=\"#fbe6d4\";\n"
            "      b2 [label=\"net.res2.0\\nTotalGradient\"];\n"
            "      b3 [label=\"ConvGradient\"];\n"
            "    }\n"
            "    subgraph cluster_3 {\n"
            "      label=\"update\"; style=filled; color=\"#dcefdc\";\n"
            "      b4 [label=\"Update ×2\"];\n"
            "    }\n"
            "  }\n"
            "  b0 -> b1 [label=\"conv2\"];\n"
            "  b0 -> b3 [style=dashed, color=\"#c8c8c8\", weight=0];\n"
            "  b1 -> b2 [style=dashed, color=\"#c8c8c8\", weight=0];\n"
            "  b2 -> b3 [label=\"conv2_grad_autosplit_0\"];\n"
            "  b3 -> b4 [label=\"w_grad\"];\n"
            "}\n");
}

// A module that is left and entered again would be its own ancestor as one box.
TEST(PrintDot, ArrowsDoNotLeadRoundInACircle) {
  NetBuilder b("net");
  b.add("Conv", {"x"}, {"a.1"});
  b.add("Conv", {"a.1"}, {"b.conv"});
  b.add("Relu", {"b.conv"}, {"c.relu"});
  b.add("Conv", {"c.relu"}, {"a.conv2"});
  b.add("Conv", {"a.conv2"}, {"a.conv3"});
  const std::string dot = net_dot(b.net());
  EXPECT_THAT(dot, HasSubstr("b0 [label=\"a\\nConv\"]"));
  EXPECT_THAT(dot, HasSubstr("b0 -> b1 [label=\"a.1\"]"));
  EXPECT_THAT(dot, HasSubstr("b3 [label=\"a\\nConv ×2\"]"));
  EXPECT_THAT(dot, HasSubstr("b2 -> b3 [label=\"relu\"]"));
  EXPECT_THAT(dot, Not(HasSubstr("-> b0")));
}

}  // namespace
}  // namespace lockstep
