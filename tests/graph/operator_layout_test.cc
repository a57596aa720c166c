// SPDX-License-Identifier: Apache-2.0
// What the operator wrapper does to layouts before and after a kernel, under each of the three rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "graph/test_ops.h"
#include "lockstep/graph/operator.h"

namespace lockstep {
namespace {

using test::World;
using testing::ElementsAre;

// What the last kernel saw of its inputs, and of its output before it wrote to it.
std::vector<std::string> seen;

void look(KernelContext& c) {
  seen.clear();
  for (int i = 0; i < c.input_count(); ++i) seen.push_back(c.input(i).describe());
  seen.push_back(c.output(0).describe());
}

// Copies the memory of input 0, which has the output's layout.
void copy(KernelContext& c) {
  look(c);
  std::copy_n(c.input(0).data<float>(), c.input(0).storage_size(), c.output(0).data<float>());
}

void make_own(KernelContext& c) {
  look(c);
  c.output(0).resize(DType::kF32, {1, 8, 1, 1}, Layout::kNChw8c);
  c.output(0).fill_zero();
}

// The first value alone; the output is smaller than the input.
void head(KernelContext& c) {
  look(c);
  c.output(0).data<float>()[0] = c.input(0).data<float>()[0];
}

OpSchema viewer(const std::string& type, LayoutRule rule, void (*kernel)(KernelContext&)) {
  OpSchema schema(type);
  schema.doc(type).input("X", "").variadic_inputs(1).output("Y", "").in_place(0, 0).layouts(rule);
  schema.infer(same_as_first_input).cpu(function_kernel(kernel));
  return schema;
}

const OpCatalog& layout_catalog() {
  static const OpCatalog catalog = [] {
    OpCatalog all;
    all.add(viewer("Plain", LayoutRule::kPlain, copy));
    all.add(viewer("Same", LayoutRule::kSame, copy));
    all.add(viewer("Own", LayoutRule::kOwn, make_own));
    all.add(viewer("Head", LayoutRule::kSame, head).infer([](const InferContext& c) {
      return std::vector<TensorInfo>{{c.input(0).dtype, {1}}};
    }));
    return all;
  }();
  return catalog;
}

constexpr int kSize = 2 * 3 * 2 * 2;

std::vector<float> counted() {
  std::vector<float> values(kSize);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

struct LayoutWorld : World {
  LayoutWorld() {
    environment.catalog = &layout_catalog();
    const Tensor plain = Tensor::from<float>({2, 3, 2, 2}, counted());
    workspace.feed("plain", plain);
    convert_layout(plain, Layout::kNChw8c, workspace.create("blocked").tensor());
    workspace.feed("vector", Tensor::from<float>({3}, {7, 8, 9}));
  }
  void run(const std::string& type, const std::vector<std::string>& inputs, const std::string& output) {
    NetBuilder b("net");
    b.add(type, inputs, {output});
    run_net_once(b.net(), environment);
  }
  // The values of a blob in plain order.
  std::vector<float> plain_values(const std::string& name) {
    Tensor plain;
    convert_layout(workspace.fetch(name), Layout::kPlain, plain);
    return {plain.data<float>(), plain.data<float>() + plain.size()};
  }
};

TEST(OperatorLayout, PlainKernelsGetPlainInputsAndGivePlainOutputs) {
  LayoutWorld world;
  world.run("Plain", {"blocked", "plain", "vector"}, "y");
  EXPECT_THAT(seen, ElementsAre("f32[2,3,2,2]", "f32[2,3,2,2]", "f32[3]", "f32[2,3,2,2]"));
  EXPECT_EQ(world.plain_values("y"), counted());
  EXPECT_EQ(world.workspace.fetch("blocked").layout(), Layout::kNChw8c);  // an input is never rewritten
}

TEST(OperatorLayout, PlainInPlaceOnABlockedBlobKeepsTheValues) {
  LayoutWorld world;
  world.run("Plain", {"blocked"}, "blocked");
  EXPECT_EQ(world.workspace.fetch("blocked").layout(), Layout::kPlain);
  EXPECT_EQ(world.plain_values("blocked"), counted());
}

TEST(OperatorLayout, SameKernelsFollowTheFirstInput) {
  LayoutWorld world;
  world.run("Same", {"blocked", "plain", "vector"}, "y");
  EXPECT_THAT(seen, ElementsAre("f32[2,3,2,2] nChw8c", "f32[2,3,2,2] nChw8c", "f32[3]", "f32[2,3,2,2] nChw8c"));
  EXPECT_EQ(world.plain_values("y"), counted());
  world.run("Same", {"plain", "blocked"}, "y");
  EXPECT_THAT(seen, ElementsAre("f32[2,3,2,2]", "f32[2,3,2,2]", "f32[2,3,2,2]"));
  EXPECT_EQ(world.plain_values("y"), counted());
}

TEST(OperatorLayout, SameInPlaceNeedsNoCopy) {
  LayoutWorld world;
  const void* memory = world.workspace.fetch("blocked").raw();
  world.run("Same", {"blocked"}, "blocked");
  EXPECT_EQ(world.workspace.fetch("blocked").raw(), memory);
  EXPECT_EQ(world.plain_values("blocked"), counted());
}

TEST(OperatorLayout, OwnKernelsSeeWhatIsThereAndShapeTheirOutputs) {
  LayoutWorld world;
  world.run("Own", {"blocked", "plain"}, "y");
  EXPECT_THAT(seen, ElementsAre("f32[2,3,2,2] nChw8c", "f32[2,3,2,2]", "f32[0]"));  // the wrapper left y alone
  EXPECT_EQ(world.workspace.fetch("y").describe(), "f32[1,8,1,1] nChw8c");
}

TEST(OperatorLayout, AnInPlaceOutputOfAnotherShapeDoesNotLoseItsInput) {
  LayoutWorld world;
  world.run("Head", {"vector"}, "vector");
  EXPECT_THAT(seen, ElementsAre("f32[3]", "f32[1]"));
  EXPECT_THAT(world.fetch("vector"), ElementsAre(7));
}

TEST(OperatorLayout, ANetFollowsALayoutThatChangesBetweenRuns) {
  LayoutWorld world;
  NetBuilder b("net");
  b.add("Same", {"plain"}, {"y"});
  const auto net = make_net(b.net(), world.environment);
  net->run();
  EXPECT_EQ(world.workspace.fetch("y").layout(), Layout::kPlain);
  world.workspace.feed("plain", world.workspace.fetch("blocked"));
  net->run();
  EXPECT_EQ(world.workspace.fetch("y").layout(), Layout::kNChw8c);
  EXPECT_EQ(world.plain_values("y"), counted());
}

}  // namespace
}  // namespace lockstep
