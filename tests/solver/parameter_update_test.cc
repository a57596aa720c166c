// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/parameter_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

const std::vector<Parameter> kParameters = {{"conv.weight", {2}, ParameterKind::kWeight, true},
                                            {"conv.bias", {2}, ParameterKind::kBias, true},
                                            {"norm.weight", {2}, ParameterKind::kNormScale, true},
                                            {"norm.bias", {2}, ParameterKind::kNormBias, true},
                                            {"stem.weight", {2}, ParameterKind::kWeight, false}};

std::vector<double> decays(const SolverConfig& solver) {
  std::vector<double> values;
  for (const ParameterRule& rule : parameter_rules(kParameters, solver)) values.push_back(rule.weight_decay);
  return values;
}

TEST(ParameterRules, Detectron2DecaysBiasesLikeWeightsUnlessTold) {
  SolverConfig solver;
  solver.weight_decay = 0.1;
  EXPECT_EQ(decays(solver), (std::vector<double>{0.1, 0.1, 0, 0, 0}));
  solver.weight_decay_bias = 0.02;
  solver.weight_decay_norm = 0.3;
  EXPECT_EQ(decays(solver), (std::vector<double>{0.1, 0.02, 0.3, 0.02, 0}));
  solver.bias_lr_factor = 2.0;
  const auto rules = parameter_rules(kParameters, solver);
  EXPECT_EQ(rules[0].lr_factor, 1.0);
  EXPECT_EQ(rules[1].lr_factor, 2.0);
  EXPECT_EQ(rules[3].lr_factor, 2.0);
}

TEST(ParameterRules, DetectronDoublesTheGradientOfEveryBias) {
  SolverConfig solver;
  solver.update_rule = "detectron";
  solver.weight_decay = 0.1;
  solver.weight_decay_norm = 0.3;
  EXPECT_EQ(decays(solver), (std::vector<double>{0.1, 0, 0.3, 0, 0}));
  const auto rules = parameter_rules(kParameters, solver);
  EXPECT_EQ(rules[0].gradient_scale, 1.0);
  EXPECT_EQ(rules[1].gradient_scale, 2.0);
  EXPECT_EQ(rules[3].gradient_scale, 2.0);
}

TEST(ParameterRules, TheTableNamesFrozenParameters) {
  const std::string table = format_rules(parameter_rules(kParameters, SolverConfig{}));
  EXPECT_THAT(table, testing::ContainsRegex("stem.weight +weight +frozen"));
  EXPECT_THAT(table, testing::ContainsRegex("conv.weight +weight +1 +1 +0.0001"));
}

std::vector<std::string> update_types(const std::string& rule, ParameterKind kind, double weight_decay) {
  SolverConfig solver;
  solver.update_rule = rule;
  solver.weight_decay = weight_decay;
  NetBuilder net("net"), init("init");
  const std::vector<Parameter> one = {{"w", {2}, kind, true}};
  const auto rules = parameter_rules(one, solver);
  add_parameter_update_ops(net, init, rules[0], {2}, "w_grad", solver);
  std::vector<std::string> types;
  for (const OperatorDef& op : net.net().op()) types.push_back(op.type());
  return types;
}

TEST(AddParameterUpdateOps, EmitsOnlyWhatChangesTheGradient) {
  using Types = std::vector<std::string>;
  EXPECT_EQ(update_types("detectron2", ParameterKind::kWeight, 0.1), (Types{"WeightedSum", "SGDUpdate"}));
  EXPECT_EQ(update_types("detectron2", ParameterKind::kWeight, 0.0), (Types{"SGDUpdate"}));
  EXPECT_EQ(update_types("detectron", ParameterKind::kWeight, 0.1), (Types{"WeightedSum", "MomentumSGDUpdate"}));
  EXPECT_EQ(update_types("detectron", ParameterKind::kBias, 0.1), (Types{"Scale", "MomentumSGDUpdate"}));
}

}  // namespace
}  // namespace lockstep
