// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/parameter_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

bool is_bias(ParameterKind kind) { return kind == ParameterKind::kBias || kind == ParameterKind::kNormBias; }
bool is_norm(ParameterKind kind) { return kind == ParameterKind::kNormScale || kind == ParameterKind::kNormBias; }

std::string_view kind_text(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::kWeight: return "weight";
    case ParameterKind::kBias: return "bias";
    case ParameterKind::kNormScale: return "norm scale";
    case ParameterKind::kNormBias: return "norm bias";
    case ParameterKind::kBuffer: return "buffer";
  }
  return "";
}

std::string decay_blob(double weight_decay) { return fmt::format("wd_{}", weight_decay); }

void apply_detectron2(ParameterRule& rule, const SolverConfig& solver) {
  rule.weight_decay = is_norm(rule.kind) ? solver.weight_decay_norm : solver.weight_decay;
  if (!is_bias(rule.kind)) return;
  rule.lr_factor = solver.bias_lr_factor;
  if (solver.weight_decay_bias) rule.weight_decay = *solver.weight_decay_bias;
}

void apply_detectron(ParameterRule& rule, const SolverConfig& solver) {
  if (is_bias(rule.kind)) {
    rule.gradient_scale = 2.0;
  } else {
    rule.weight_decay = is_norm(rule.kind) ? solver.weight_decay_norm : solver.weight_decay;
  }
}

}  // namespace

std::vector<ParameterRule> parameter_rules(const std::vector<Parameter>& parameters, const SolverConfig& solver) {
  std::vector<ParameterRule> rules;
  for (const Parameter& parameter : parameters) {
    ParameterRule& rule = rules.emplace_back();
    rule.name = parameter.name;
    rule.kind = parameter.kind;
    rule.trainable = parameter.trainable && parameter.kind != ParameterKind::kBuffer;
    if (!rule.trainable) continue;
    if (solver.update_rule == "detectron") {
      apply_detectron(rule, solver);
    } else {
      apply_detectron2(rule, solver);
    }
  }
  return rules;
}

std::string format_rules(const std::vector<ParameterRule>& rules) {
  std::size_t width = 9;
  for (const ParameterRule& rule : rules) width = std::max(width, rule.name.size());
  std::string text = fmt::format("{:<{}}  {:<10}  {:>9}  {:>13}  {:>12}\n", "parameter", width, "kind", "lr factor",
                                 "gradient x", "weight decay");
  for (const ParameterRule& rule : rules) {
    if (rule.trainable) {
      text += fmt::format("{:<{}}  {:<10}  {:>9}  {:>13}  {:>12}\n", rule.name, width, kind_text(rule.kind),
                          rule.lr_factor, rule.gradient_scale, rule.weight_decay);
    } else {
      text += fmt::format("{:<{}}  {:<10}  frozen\n", rule.name, width, kind_text(rule.kind));
    }
  }
  return text;
}

void add_parameter_update_ops(NetBuilder& net, NetBuilder& init, const ParameterRule& rule, const Shape& shape,
                              const std::string& gradient, const SolverConfig& solver) {
  const std::string parameter = net.scoped(rule.name);
  const std::string momentum = parameter + "_momentum";
  init.add("ConstantFill", {}, {momentum}, {arg("shape", shape), arg("value", 0.0)});
  if (rule.gradient_scale != 1.0) {
    net.add("Scale", {gradient}, {gradient}, {arg("scale", rule.gradient_scale)}, parameter + "_gradient_scale");
  }
  if (rule.weight_decay != 0.0) {
    net.add("WeightedSum", {gradient, net.scoped("one"), parameter, net.scoped(decay_blob(rule.weight_decay))},
            {gradient}, {}, parameter + "_decay");
  }
  const std::vector<Argument> args = {arg("momentum", solver.momentum), arg("nesterov", solver.nesterov)};
  if (solver.update_rule == "detectron") {
    net.add("MomentumSGDUpdate", {gradient, momentum, net.scoped("lr"), parameter}, {gradient, momentum, parameter},
            args, parameter + "_update");
    return;
  }
  OperatorDef& update = net.add("SGDUpdate", {gradient, momentum, net.scoped("lr"), parameter}, {momentum, parameter},
                                args, parameter + "_update");
  if (rule.lr_factor != 1.0) *update.add_arg() = arg("lr_factor", rule.lr_factor);
}

void add_update_constants(NetBuilder& init, const std::vector<ParameterRule>& rules) {
  const auto scalar = [&](const std::string& name, double value) {
    init.add("ConstantFill", {}, {init.scoped(name)}, {arg("shape", Shape{1}), arg("value", value)});
  };
  scalar("lr", 0.0);
  scalar("one", 1.0);
  std::set<double> decays;
  for (const ParameterRule& rule : rules) {
    if (rule.weight_decay != 0.0) decays.insert(rule.weight_decay);
  }
  for (const double decay : decays) scalar(decay_blob(decay), decay);
}

}  // namespace lockstep
