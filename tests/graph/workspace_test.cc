// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/workspace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::error_of;
using testing::ElementsAre;

TEST(Workspace, CreateReturnsTheBlobThatIsThere) {
  Workspace workspace;
  Blob& blob = workspace.create("conv1_w");
  EXPECT_EQ(&workspace.create("conv1_w"), &blob);
  EXPECT_EQ(&workspace.get("conv1_w"), &blob);
  EXPECT_EQ(error_of([&] { workspace.create(""); }), "a blob needs a name");
}

TEST(Workspace, AMissingBlobNamesTheNearest) {
  Workspace workspace;
  workspace.create("cpu_0/conv1_w");
  EXPECT_EQ(error_of([&] { workspace.get("cpu_0/conv1_b"); }),
            "blob 'cpu_0/conv1_b' does not exist in the workspace; did you mean 'cpu_0/conv1_w'?");
  EXPECT_EQ(error_of([&] { std::as_const(workspace).get("loss"); }), "blob 'loss' does not exist in the workspace");
  EXPECT_EQ(error_of([&] { workspace.fetch("loss"); }), "blob 'loss' does not exist in the workspace");
}

TEST(Workspace, NamesAreSortedAndRemovedOnesAreGone) {
  Workspace workspace;
  for (const char* name : {"b", "a", "c"}) workspace.create(name);
  workspace.remove("b");
  EXPECT_FALSE(workspace.has("b"));
  EXPECT_THAT(workspace.names(), ElementsAre("a", "c"));
  EXPECT_EQ(error_of([&] { workspace.remove("missing"); }), "blob 'missing' does not exist in the workspace");
}

TEST(Workspace, FeedCopiesAndKeepsTheBlob) {
  Workspace workspace;
  Tensor value = Tensor::from<float>({2}, {1, 2});
  workspace.feed("x", value);
  const Blob& blob = workspace.get("x");
  value.data<float>()[0] = 9;
  EXPECT_EQ(workspace.fetch("x").data<float>()[0], 1);
  workspace.feed("x", Tensor::from<double>({1}, {3}));
  EXPECT_EQ(&workspace.get("x"), &blob);
  EXPECT_EQ(workspace.fetch("x").describe(), "f64[1]");
}

TEST(Workspace, ABlobHoldsASharedObjectOfOneType) {
  Workspace workspace;
  Blob& blob = workspace.create("queue");
  EXPECT_EQ(blob.object<int>(), nullptr);
  blob.set_object(std::make_shared<int>(5));
  EXPECT_EQ(*blob.object<int>(), 5);
  EXPECT_EQ(blob.object<double>(), nullptr);
}

}  // namespace
}  // namespace lockstep
