// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/print.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "lockstep/graph/net_builder.h"

namespace lockstep {
namespace {

NetDef sample() {
  NetBuilder b("net", "dag");
  const auto device = b.device_scope({DeviceType::kCpu, 1});
  b.add("Scale", {"x"}, {"y"}, {arg("scale", 0.1), arg("key", "a\"b"), arg("axes", std::vector<std::int64_t>{1, 2})});
  b.add("Total", {"y"}, {"loss"}).add_control_input("x");
  b.add("TotalGradient", {"y", "loss"}, {"y_grad"}).set_is_gradient_op(true);
  b.add("Scale", {"y_grad"}, {"x"}).set_priority(-1);
  return b.net();
}

TEST(Print, TextIsStable) {
  EXPECT_EQ(net_text(sample()),
            "net net (dag)\n"
            "inputs x\n"
            "y = Scale(x; axes=[1, 2], key=\"a\\\"b\", scale=0.1) @cpu:1\n"
            "loss = Total(y) after x @cpu:1\n"
            "y_grad = TotalGradient(y, loss) @cpu:1\n"
            "x = Scale(y_grad) @cpu:1 priority -1\n");
}

OpPlan scale_plan() {
  OpPlan plan;
  plan.known = true;
  plan.inputs = plan.outputs = {{DType::kF32, {2, 3}}};
  plan.input_layouts = plan.output_layouts = {Layout::kPlain};
  plan.kernel = {"own", "element by element", {Layout::kPlain}, {}};
  plan.flops = 6;
  plan.output_bytes = 24;
  return plan;
}

TEST(Print, TableShowsShapesBytesOperationsAndKernels) {
  EXPECT_EQ(net_table(sample(), {scale_plan(), OpPlan(), OpPlan(), scale_plan()}),
            "#  type           device  bytes  MFLOP  kernel  inputs           outputs     why this kernel\n"
            "0  Scale          cpu:1   24     0.000  own     x f32[2,3]       y f32[2,3]  element by element\n"
            "1  Total          cpu:1   ?      -              y                loss\n"
            "2  TotalGradient  cpu:1   ?      -              y, loss          y_grad\n"
            "3  Scale          cpu:1   24     0.000  own     y_grad f32[2,3]  x f32[2,3]  element by element\n"
            "   all                    48+?   0.000\n");
}

TEST(Print, TableBreaksCellsBetweenBlobs) {
  NetDef net;
  OperatorDef& op = *net.add_op();
  op.set_type("Sum");
  const std::string longest(80, 'a');
  for (const std::string& name : {longest, std::string("b"), std::string(56, 'c'), std::string("d")})
    op.add_input(name);
  op.add_output("y");
  const std::string table = net_table(net, {OpPlan()});
  const std::string indent(table.find("inputs"), ' ');
  EXPECT_THAT(table, testing::HasSubstr(longest + ",  y\n"));
  EXPECT_THAT(table, testing::HasSubstr("\n" + indent + "b, " + std::string(56, 'c') + ",\n" + indent + "d\n"));
}

TEST(Print, PbtxtReadsBack) {
  NetDef back;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(net_pbtxt(sample()), &back));
  EXPECT_EQ(back.SerializeAsString(), sample().SerializeAsString());
}

}  // namespace
}  // namespace lockstep
