// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/gradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graph/test_ops.h"
#include "lockstep/base/error.h"

namespace lockstep {
namespace {

using test::catalog;
using test::error_of;
using test::ops_text;
using testing::HasSubstr;
using Names = std::map<std::string, std::string>;

TEST(Gradient, BranchIsSplitAndSummedInPlace) {
  NetBuilder b("net");
  b.add("Sin", {"in"}, {"h1"});
  b.add("Tanh", {"in"}, {"h2"});
  b.add("Mul", {"h1", "h2"}, {"out"});
  b.add("Total", {"out"}, {"loss"});
  const Names gradients = add_gradient_operators(b.net(), catalog(), {{"loss", ""}}, {"in"});
  EXPECT_EQ(ops_text(b.net()),
            "h1 = Sin(in)\n"
            "h2 = Tanh(in)\n"
            "out = Mul(h1, h2)\n"
            "loss = Total(out)\n"
            "*loss_grad = ConstantFill()\n"
            "*out_grad = TotalGradient(out, loss_grad)\n"
            "*h1_grad = Mul(out_grad, h2)\n"
            "*h2_grad = Mul(out_grad, h1)\n"
            "*in_grad = TanhGradient(h2, h2_grad)\n"
            "*_in_grad_autosplit_0 = SinGradient(in, h1_grad)\n"
            "*in_grad = Sum(in_grad, _in_grad_autosplit_0)\n");
  EXPECT_EQ(gradients.at("in"), "in_grad");
  EXPECT_EQ(gradients.at("loss"), "loss_grad");
}

TEST(Gradient, PassThroughIsNeverSummedInPlace) {
  NetBuilder b("net");
  b.add("Add", {"w", "v"}, {"c"});
  b.add("Mul", {"c", "w"}, {"d"});
  b.add("Total", {"d"}, {"loss"});
  const Names gradients = add_gradient_operators(b.net(), catalog(), {{"loss", "seed"}}, {"w", "v"});
  // c_grad is v's gradient too; w's first gradient is w_grad.
  EXPECT_THAT(ops_text(b.net()), HasSubstr("*c_grad = Mul(d_grad, w)\n*w_grad = Mul(d_grad, c)\n"
                                           "*w_grad = Sum(w_grad, c_grad)\n"));
  EXPECT_EQ(gradients.at("v"), "c_grad");
  EXPECT_EQ(b.net().external_input(2), "seed");

  NetBuilder twice("net");
  twice.add("Add", {"w", "w"}, {"c"});
  twice.add("Total", {"c"}, {"loss"});
  add_gradient_operators(twice.net(), catalog(), {{"loss", ""}}, {"w"});
  EXPECT_THAT(ops_text(twice.net()), HasSubstr("*w_grad = Sum(c_grad, c_grad)\n"));
}

TEST(Gradient, InPlaceForwardHasInPlaceBackwardUnlessShared) {
  NetBuilder b("net");
  b.add("Scale", {"w"}, {"x"}, {arg("scale", 2.0)});
  b.add("Tanh", {"x"}, {"x"});
  b.add("Total", {"x"}, {"loss"});
  add_gradient_operators(b.net(), catalog(), {{"loss", ""}}, {"w"});
  EXPECT_THAT(ops_text(b.net()), HasSubstr("*x_grad = TanhGradient(x, x_grad)\n*w_grad = Scale(x_grad)\n"));

  // b's gradient is x_grad as well, and is read after the backward operator of the in-place Scale.
  NetBuilder shared("net");
  shared.add("Sin", {"w"}, {"b"});
  shared.add("Sin", {"w"}, {"x"});
  shared.add("Scale", {"x"}, {"x"}, {arg("scale", 2.0)});
  shared.add("Add", {"x", "b"}, {"x"});
  shared.add("Total", {"x"}, {"loss"});
  add_gradient_operators(shared.net(), catalog(), {{"loss", ""}}, {"w"});
  EXPECT_THAT(ops_text(shared.net()), HasSubstr("*_x_grad_autosplit_0 = Scale(x_grad)\n"
                                                "*w_grad = SinGradient(w, _x_grad_autosplit_0)\n"
                                                "*_w_grad_autosplit_0 = SinGradient(w, x_grad)\n"));
}

TEST(Gradient, OverwrittenBlobsAreRefused) {
  NetBuilder b("net");
  b.add("Sin", {"w"}, {"x"}, {}, "first");
  b.add("Sin", {"x"}, {"y"}, {}, "reader");
  b.add("Tanh", {"x"}, {"x"}, {}, "writer");
  b.add("Add", {"x", "y"}, {"z"});
  b.add("Total", {"z"}, {"loss"});
  const std::string before = b.net().DebugString();
  EXPECT_THAT(error_of([&] {
                add_gradient_operators(b.net(), catalog(), {{"loss", ""}}, {"w"});
              }),
              HasSubstr("SinGradient, the gradient of Sin 'reader', needs blob 'x' as the operator saw it, but Tanh "
                        "'writer' overwrites it later"));
  EXPECT_EQ(b.net().DebugString(), before);

  NetBuilder self("net");
  self.add("Scale", {"w"}, {"x"});
  self.add("Sin", {"x"}, {"x"}, {}, "s");
  self.add("Total", {"x"}, {"loss"});
  EXPECT_THAT(error_of([&] {
                add_gradient_operators(self.net(), catalog(), {{"loss", ""}}, {"w"});
              }),
              HasSubstr("SinGradient, the gradient of Sin 's', reads input 'x', which the operator itself overwrites"));
}

TEST(Gradient, StopGradientAndFrozenParametersCostNothing) {
  NetBuilder b("net");
  b.add("Sin", {"frozen"}, {"f"});
  b.add("Sin", {"w"}, {"x"});
  b.add("StopGradient", {"x"}, {"s"});
  b.add("Mul", {"s", "x"}, {"y"});
  b.add("Mul", {"y", "f"}, {"z"});
  b.add("Total", {"z"}, {"loss"});
  const Names gradients = add_gradient_operators(b.net(), catalog(), {{"loss", ""}}, {"w"});
  EXPECT_THAT(ops_text(b.net()), HasSubstr("*z_grad = TotalGradient(z, loss_grad)\n*y_grad = Mul(z_grad, f)\n"
                                           "*x_grad = Mul(y_grad, s)\n*w_grad = SinGradient(w, x_grad)\n"));
  EXPECT_FALSE(gradients.contains("frozen"));
  EXPECT_FALSE(gradients.contains("s"));
}

TEST(Gradient, TwoReplicasKeepTheirScopesAndDevices) {
  NetBuilder b("net");
  Names losses;
  for (int d = 0; d < 2; ++d) {
    const DeviceId id{DeviceType::kCpu, d};
    const auto name = b.name_scope(device_scope(id));
    const auto device = b.device_scope(id);
    b.add("Mul", {b.scoped("w"), b.scoped("w")}, {b.scoped("x")});
    b.add("Total", {b.scoped("x")}, {b.scoped("loss")});
    losses[b.scoped("loss")] = "";
  }
  const Names gradients = add_gradient_operators(b.net(), catalog(), losses, {"cpu_0/w", "cpu_1/w"});
  EXPECT_EQ(gradients.at("cpu_1/w"), "cpu_1/w_grad");
  EXPECT_THAT(ops_text(b.net()), HasSubstr("*cpu_1/w_grad = Mul(cpu_1/x_grad, cpu_1/w)\n"
                                           "*cpu_1/w_grad_1 = Mul(cpu_1/x_grad, cpu_1/w)\n"
                                           "*cpu_1/w_grad = Sum(cpu_1/w_grad, cpu_1/w_grad_1)\n"));
  for (const OperatorDef& op : b.net().op()) {
    EXPECT_EQ(op.device_option().index(), op.output(0).find("cpu_1/") == 0 ? 1 : 0) << op.output(0);
  }
}

TEST(Gradient, MistakesAreNamed) {
  const auto build = [](bool other_device) {
    NetBuilder b("net");
    {
      const auto device = b.device_scope({DeviceType::kCpu, 0});
      b.add("Sin", {"w"}, {"x"}, {}, "near");
    }
    const auto device = b.device_scope({DeviceType::kCpu, other_device ? 1 : 0});
    b.add("Sin", {"w"}, {"y"}, {}, "far");
    b.add("Add", {"x", "y"}, {"z"});
    b.add("Total", {"z"}, {"loss"});
    b.add("StopGradient", {"z"}, {"dead"}, {}, "stop");
    return b.net();
  };
  const auto error = [&](NetDef net, const Names& losses, const std::set<std::string>& trainable) {
    return error_of([&] { add_gradient_operators(net, catalog(), losses, trainable); });
  };
  EXPECT_THAT(error(build(true), {{"loss", ""}}, {"w"}),
              HasSubstr("the gradients of blob 'w' come from two devices: Sin 'far' on cpu:1 and Sin 'near' on cpu:0"));
  EXPECT_THAT(error(build(false), {{"los", ""}}, {"w"}), HasSubstr("loss 'los' is not a blob of net 'net'"));
  EXPECT_THAT(error(build(false), {}, {"w"}), HasSubstr("net 'net' has no loss to differentiate"));
  EXPECT_THAT(error(build(false), {{"dead", ""}}, {"w"}),
              HasSubstr("loss 'dead' of net 'net' reaches no trainable blob; StopGradient 'stop' has no gradient: it "
                        "exists to stop gradients"));
  EXPECT_THAT(error(build(false), {{"loss", ""}}, {"w", "u", "v"}),
              HasSubstr("no loss of net 'net' reaches trainable blobs u and v;"));
  NetDef twice = build(false);
  add_gradient_operators(twice, catalog(), {{"loss", ""}}, {"w"});
  EXPECT_THAT(error(twice, {{"loss", ""}}, {"w"}), HasSubstr("has gradient operators already (ConstantFill"));
}

// A random net over two parameters; in-place use, several consumers and stopped paths included.
NetDef random_net(std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  NetBuilder b("random");
  std::vector<std::string> blobs = {"w0", "w1"};
  for (int k = 0; k < 9; ++k) {
    const std::string out = "b" + std::to_string(k);
    const std::string a = blobs[pick(blobs.size())];
    const std::string c = blobs[pick(blobs.size())];
    const bool in_place = a[0] != 'w' && pick(3) == 0;
    switch (pick(7)) {
      case 0: b.add("Mul", {a, c}, {in_place && a != c ? a : out}); break;
      case 1: b.add("Sin", {a}, {out}); break;
      case 2: b.add("Tanh", {a}, {in_place ? a : out}); break;
      case 3: b.add("Add", {a, c}, {in_place && a != c ? a : out}); break;
      case 4: b.add("Sum", {a, c, a}, {out}); break;
      case 5: b.add("Scale", {a}, {in_place ? a : out}, {arg("scale", 0.7)}); break;
      default: b.add("SinCos", {a}, {out, out + "c"}); break;
    }
    const OperatorDef& op = b.net().op(b.net().op_size() - 1);
    for (const std::string& name : op.output()) {
      if (name != a) blobs.push_back(name);
    }
  }
  b.add("Add", {"w0", "w1"}, {"both"});
  b.add("Mul", {"both", blobs.back()}, {"end"});
  b.add("Total", {"end"}, {"loss"});
  if (pick(2) == 0) {
    b.add("Tanh", {blobs[pick(blobs.size())]}, {"more"});
    b.add("Total", {"more"}, {"loss2"});
  }
  return b.net();
}

TEST(Gradient, RandomNetsEqualFiniteDifferences) {
  std::mt19937 random(11);
  int checked = 0;
  for (int n = 0; n < 400; ++n) {
    const NetDef forward = random_net(random);
    const bool two = forward.op(forward.op_size() - 1).output(0) == "loss2";
    Names losses = {{"loss", ""}};
    if (two) losses["loss2"] = "";
    NetDef full = forward;
    Names gradients;
    try {
      gradients = add_gradient_operators(full, catalog(), losses, {"w0", "w1"});
    } catch (const Error& error) {
      ASSERT_THAT(error.what(), HasSubstr("overwrite"));  // the only way such a net may be refused
      continue;
    }
    ++checked;
    test::World world(1, Engine::kReference);
    const std::map<std::string, std::vector<double>> at = {{"w0", {0.3, -0.8, 1.1}}, {"w1", {-0.4, 0.9, 0.6}}};
    for (const auto& [name, values] : at) world.feed(name, values);
    run_net_once(full, world.environment);
    std::map<std::string, std::vector<double>> found;
    for (const auto& [name, values] : at) found[name] = world.fetch(gradients.at(name));
    const auto net = make_net(forward, world.environment);
    const auto loss = [&](const std::string& name, std::size_t i, double step) {
      std::vector<double> moved = at.at(name);
      moved[i] += step;
      world.feed(name, moved);
      net->run();
      world.feed(name, at.at(name));
      return world.fetch("loss")[0] + (two ? world.fetch("loss2")[0] : 0.0);
    };
    for (const auto& [name, values] : at) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double want = (loss(name, i, 1e-5) - loss(name, i, -1e-5)) / 2e-5;
        ASSERT_NEAR(found[name][i], want, 1e-6 * (1 + std::abs(want))) << "net " << n << "\n" << ops_text(full);
      }
    }
  }
  EXPECT_GT(checked, 150);
}

}  // namespace
}  // namespace lockstep
