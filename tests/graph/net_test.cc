// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::error_of;
using test::World;
using testing::HasSubstr;

TEST(Net, MakingOneListsAllItsProblems) {
  World world(2);
  world.feed("x", {1});
  NetBuilder b("net", "dags");
  b.add("Sin", {"x"}, {"a"}, {}, "good");
  b.add("Scale", {"a"}, {"b"}, {arg("scal", 2.0)}, "argument");
  b.add("Mul", {"a", "w"}, {"c"}, {}, "missing");
  b.add("Mul", {"c", "w"}, {"d"}, {}, "missing_again");  // is not named again
  {
    const auto device = b.device_scope({DeviceType::kCpu, 7});
    b.add("Sin", {"x"}, {"e"}, {}, "far");
    b.add("Sin", {"x"}, {"f"}, {}, "far_too");
  }
  b.add("Sin", {"x"}, {"g"}, {}, "device").mutable_device_option()->set_type("tpu");
  b.net().add_external_output("nowhere");
  EXPECT_EQ(error_of([&] { make_net(b.net(), world.environment); }),
            "net 'net' has 6 problems:\n"
            "    executor 'dags' does not exist; there are simple and dag\n"
            "    op Scale 'argument': [Scale] unknown argument 'scal'; did you mean 'scale'?\n"
            "    op Sin 'device': device type 'tpu' does not exist; wanted cpu or cuda\n"
            "    nothing produces external output 'nowhere'\n"
            "    op Mul 'missing' reads blob 'w', which nothing has made\n"
            "    op Sin 'far': device cpu:7 does not exist here; there are cpu:0 and cpu:1");
  EXPECT_FALSE(world.workspace.has("a"));  // a refused net leaves no blobs behind
}

TEST(Net, InputsNeedASourceInsideTheNetOrADeclaration) {
  World world;
  world.feed("x", {1});
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"y"});
  b.net().clear_external_input();
  EXPECT_EQ(error_of([&] { make_net(b.net(), world.environment); }),
            "net 'net' has 1 problem:\n    op Sin 'y': input 'x' has no source");
}

TEST(Net, ANetNeedsAName) {
  World world;
  EXPECT_THAT(error_of([&] { make_net(NetDef(), world.environment); }), HasSubstr("the net has no name"));
}

TEST(Net, AnOperatorWithoutAKernelIsUnsupported) {
  OpCatalog catalog;
  catalog.add(OpSchema("Paper").doc("has no kernel").output("Y", "").infer([](const InferContext&) {
    return std::vector<TensorInfo>{{DType::kF32, {1}}};
  }));
  for (const char* type : {"simple", "dag"}) {
    World world;
    world.environment.catalog = &catalog;
    NetBuilder b("net", type);
    b.add("Paper", {}, {"y"});
    try {
      make_net(b.net(), world.environment);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
      EXPECT_STREQ(error.what(), "[Paper] has no cpu kernel\n  while making net 'net'");
    }
  }
}

TEST(Net, SimpleNetsRunTheirOperatorsInOrderAndNameTheRunThatFailed) {
  World world;
  world.feed("x", {1});
  world.environment.describe_run = [] { return "worker 0, step 3"; };
  NetBuilder b("net");
  b.add("Scale", {"x"}, {"y"}, {arg("scale", 2.0)});
  b.add("Fail", {"y"}, {"z"}, {}, "culprit");
  b.add("Scale", {"x"}, {"after"}, {arg("scale", 2.0)});
  const auto net = make_net(b.net(), world.environment);
  EXPECT_EQ(error_of([&] { net->run(); }),
            "this operator always fails\n"
            "  in op Fail 'culprit' on worker 0 (cpu:0), reading y f32[1], writing z\n"
            "  in net 'net'\n"
            "  at worker 0, step 3");
  EXPECT_EQ(world.workspace.fetch("after").size(), 0);
  EXPECT_THAT(world.fetch("y"), testing::ElementsAre(2.0));
}

}  // namespace
}  // namespace lockstep
