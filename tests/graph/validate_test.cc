// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

TEST(Validate, ListsAllProblemsAtOnce) {
  NetBuilder b("net");
  b.add("Sinn", {"x"}, {"a"}, {}, "typo");
  b.add("Scale", {"x"}, {"b"}, {arg("scal", 2.0)}, "argument");
  b.add("Mul", {"x"}, {"c"}, {}, "count");
  b.add("SinGradient", {"x", "y"}, {"x"}, {}, "in_place");
  b.add("Add", {"v", "y"}, {"d"}, {}, "shape");
  b.add("Sin", {"d"}, {"e"}, {}, "after");  // a failed inference does not cascade
  b.add("Sin", {"v"}, {"f"}, {}, "device").mutable_device_option()->set_type("tpu");
  NetDef net = b.net();
  net.add_external_input("x");
  net.add_external_output("nowhere");
  net.mutable_op(5)->add_control_input("ghost");
  EXPECT_THAT(validate(net, test::catalog(), {{"v", {DType::kF32, {2}}}, {"y", {DType::kF32, {3}}}}),
              testing::ElementsAre(
                  "op Sinn 'typo': operator type 'Sinn' does not exist; did you mean 'Sin'?",
                  "op Scale 'argument': [Scale] unknown argument 'scal'; did you mean 'scale'?",
                  "op Mul 'count': [Mul] wants 2 inputs, got 1",
                  "op SinGradient 'in_place': [SinGradient] output 'C' may not overwrite input 'A' (blob 'x')",
                  "op Sin 'device': device type 'tpu' does not exist; wanted cpu or cuda",
                  "external input 'x' is declared twice", "op Sin 'after': control input 'ghost' has no source",
                  "nothing produces external output 'nowhere'",
                  "op Add 'shape': [Add] inputs 'A' and 'B' must have one shape, got f32[2] and f32[3]"));
}

TEST(Validate, RequireValidThrowsOnceWithTheList) {
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"y"});
  require_valid(b.net(), test::catalog(), {});
  b.add("Mul", {"x", "y"}, {"z"});  // a missing source is named once
  b.net().clear_external_input();
  EXPECT_EQ(test::error_of([&] { require_valid(b.net(), test::catalog(), {}); }),
            "net 'net' has 1 problem:\n    op Sin 'y': input 'x' has no source");
}

TEST(Validate, UnknownSizesPropagate) {
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"y"});
  b.add("Total", {"y"}, {"loss"});
  b.add("Sin", {"unknown"}, {"z"});
  const auto infos = infer_shapes(b.net(), test::catalog(), {{"x", {DType::kF32, {-1, 4}}}});
  EXPECT_EQ(infos.at("y"), (TensorInfo{DType::kF32, {-1, 4}}));
  EXPECT_EQ(infos.at("loss"), (TensorInfo{DType::kF32, {1}}));
  EXPECT_FALSE(infos.contains("z"));
}

}  // namespace
}  // namespace lockstep
