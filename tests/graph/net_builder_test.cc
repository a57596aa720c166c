// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/net_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::ElementsAre;

TEST(NetBuilder, NameScopesNestAndEnd) {
  NetBuilder b("net");
  EXPECT_EQ(b.scoped("w"), "w");
  {
    const auto outer = b.name_scope("cpu_0");
    EXPECT_EQ(b.scoped("w"), "cpu_0/w");
    {
      const auto inner = b.name_scope("res2");
      EXPECT_EQ(b.scoped("w"), "cpu_0/res2/w");
    }
    EXPECT_EQ(b.scoped("w"), "cpu_0/w");
  }
  EXPECT_EQ(b.scoped("w"), "w");
}

TEST(NetBuilder, TheInnermostDeviceScopeWins) {
  NetBuilder b("net");
  EXPECT_FALSE(b.add("Sin", {"x"}, {"none"}).has_device_option());
  const auto outer = b.device_scope({DeviceType::kCpu, 1});
  {
    const auto inner = b.device_scope({DeviceType::kCuda, 2});
    const auto name = b.name_scope("keeps_the_device");
    EXPECT_EQ(b.add("Sin", {"x"}, {"in"}).device_option().type(), "cuda");
    EXPECT_EQ(b.net().op(1).device_option().index(), 2);
  }
  EXPECT_EQ(b.add("Sin", {"x"}, {"out"}).device_option().type(), "cpu");
  EXPECT_EQ(b.net().op(2).device_option().index(), 1);
}

TEST(NetBuilder, WhatNothingWritesIsAnExternalInputOnce) {
  NetBuilder b("net", "dag");
  b.add("Mul", {"x", "w"}, {"a"});
  b.add("Mul", {"a", "w"}, {"y"});
  b.add("Sin", {"y"}, {"x"});  // written after it was read: stays external
  EXPECT_THAT(b.net().external_input(), ElementsAre("x", "w"));
  EXPECT_EQ(b.net().name(), "net");
  EXPECT_EQ(b.net().type(), "dag");
}

TEST(NetBuilder, AnOperatorIsNamedAfterItsFirstOutput) {
  NetBuilder b("net");
  EXPECT_EQ(b.add("SinCos", {"x"}, {"s", "c"}).name(), "s");
  EXPECT_EQ(b.add("Sin", {"x"}, {"y"}, {}, "given").name(), "given");
  EXPECT_EQ(b.add("Sink", {"x"}, {}).name(), "");
}

TEST(NetBuilder, ArgumentsSetOneKind) {
  EXPECT_EQ(arg("a", 3).i(), 3);
  EXPECT_EQ(arg("a", true).i(), 1);
  EXPECT_FALSE(arg("a", 3).has_f());
  EXPECT_EQ(arg("a", 0.5).f(), 0.5);
  EXPECT_FALSE(arg("a", 0.5).has_i());
  EXPECT_EQ(arg("a", "text").s(), "text");
  EXPECT_THAT(arg("a", std::vector<std::int64_t>{1, 2}).ints(), ElementsAre(1, 2));
  EXPECT_THAT(arg("a", std::vector<double>{0.5}).floats(), ElementsAre(0.5));
  EXPECT_THAT(arg("a", std::vector<std::string>{"s"}).strings(), ElementsAre("s"));
}

}  // namespace
}  // namespace lockstep
