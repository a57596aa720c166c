// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::error_of;
using test::World;
using testing::ElementsAre;

TEST(Operator, TellsTheObserverEveryRunAndItsTime) {
  World world;
  world.feed("x", {1, 2});
  std::vector<std::string> seen;
  double seconds = 0;
  world.environment.on_op = [&](const OperatorDef& op, double time) {
    seen.push_back(op.name());
    EXPECT_GE(time, 0);
    seconds += time;
  };
  NetBuilder b("net");
  b.add("Sin", {"x"}, {"a"}, {}, "first");
  b.add("Nap", {"a"}, {"b"}, {arg("us", std::int64_t{2000})}, "second");
  const auto net = make_net(b.net(), world.environment);
  net->run();
  net->run();
  EXPECT_THAT(seen, ElementsAre("first", "second", "first", "second"));
  EXPECT_GT(seconds, 0.001);  // the naps
}

TEST(Operator, TellsTheObserverNothingOfAFailure) {
  World world;
  world.feed("x", {1});
  int calls = 0;
  world.environment.on_op = [&](const OperatorDef&, double) { ++calls; };
  NetBuilder b("net");
  b.add("Fail", {"x"}, {"y"});
  const auto net = make_net(b.net(), world.environment);
  EXPECT_THROW(net->run(), Error);
  EXPECT_EQ(calls, 0);
}

TEST(Operator, ErrorsNameTheWorkerAndTheBlobsWithTheirShapes) {
  World world(3);
  world.feed("a", {1, 2});
  world.feed("b", {1, 2, 3});
  NetBuilder b("net");
  const auto device = b.device_scope({DeviceType::kCpu, 2});
  b.add("Add", {"a", "b"}, {"c"}, {}, "unequal");
  const std::string text = error_of([&] { run_net_once(b.net(), world.environment); });
  EXPECT_EQ(text,
            "[Add] inputs 'A' and 'B' must have one shape, got f32[2] and f32[3]\n"
            "  in op Add 'unequal' on worker 2 (cpu:2), reading a f32[2], b f32[3], writing c\n"
            "  in net 'net'");
}

void out_of_memory(KernelContext&) { throw std::bad_alloc(); }
void other_exception(KernelContext&) { throw std::out_of_range("vector::at"); }

TEST(Operator, ForeignExceptionsBecomeErrors) {
  OpCatalog catalog;
  for (const auto& [type, kernel] : {std::pair{"Hungry", &out_of_memory}, std::pair{"Broken", &other_exception}}) {
    catalog.add(OpSchema(type).output("Y", "").cpu(function_kernel(kernel)).infer([](const InferContext&) {
      return std::vector<TensorInfo>{{DType::kF32, {1}}};
    }));
  }
  World world;
  world.environment.catalog = &catalog;
  const auto thrown = [&](const std::string& type) {
    NetBuilder b("net");
    b.add(type, {}, {"y"});
    try {
      run_net_once(b.net(), world.environment);
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorKind::kInternal, "nothing was thrown");
  };
  EXPECT_EQ(thrown("Hungry").kind(), ErrorKind::kDevice);
  EXPECT_STREQ(thrown("Hungry").what(),
               "out of memory\n  in op Hungry 'y' on worker 0 (cpu:0), writing y\n  in net 'net'");
  EXPECT_EQ(thrown("Broken").kind(), ErrorKind::kInternal);
  EXPECT_EQ(thrown("Broken").message(), "vector::at");
}

TEST(Operator, AFailedInferenceIsTriedAgain) {
  World world;
  world.feed("a", {1, 2});
  world.feed("b", {1, 2, 3});
  NetBuilder b("net");
  b.add("Add", {"a", "b"}, {"c"});
  const auto net = make_net(b.net(), world.environment);
  EXPECT_THROW(net->run(), Error);
  EXPECT_THROW(net->run(), Error);  // the same inputs are not taken for checked ones
  world.feed("b", {10, 20});
  net->run();
  EXPECT_THAT(world.fetch("c"), ElementsAre(11, 22));
}

}  // namespace
}  // namespace lockstep
