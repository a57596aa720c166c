// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/graph/net_builder.h"

namespace lockstep {
namespace {

using testing::ElementsAre;

TEST(Stages, FollowTheOrderInWhichAStepIsBuilt) {
  NetBuilder b("step");
  b.add("DequeueBlobs", {"queue"}, {"x"});
  b.add("Relu", {"x"}, {"y"});
  b.add("ConstantFill", {}, {"y_grad"}).set_is_gradient_op(true);
  b.add("Scale", {"y_grad"}, {"y_grad"});  // a plain operator in the gradient pass
  b.add("ReluGradient", {"y", "y_grad"}, {"x_grad"}).set_is_gradient_op(true);
  b.add("FoldGradient", {"x_grad"}, {"x_grad_node_0"});
  b.add("LockstepAllReduce", {"x_grad_node_0"}, {"sum"}, {}, "x_all_reduce");
  b.add("Add", {"sum", "x"}, {"sum"}, {}, "x_all_reduce_add_0");  // of an all-reduce by tree
  b.add("Scale", {"sum"}, {"sum"});
  EXPECT_THAT(stages_of(b.net()),
              ElementsAre(Stage::kInput, Stage::kForward, Stage::kBackward, Stage::kBackward, Stage::kBackward,
                          Stage::kFold, Stage::kAllReduce, Stage::kAllReduce, Stage::kUpdate));
}

TEST(Stages, ANetWithoutGradientsIsForward) {
  NetBuilder b("test");
  b.add("Relu", {"x"}, {"y"});
  b.add("Relu", {"y"}, {"z"});
  EXPECT_THAT(stages_of(b.net()), ElementsAre(Stage::kForward, Stage::kForward));
}

}  // namespace
}  // namespace lockstep
