// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "ops/op_checks.h"

namespace lockstep {

OperatorDef forward_def(const OpCase& one) {
  OperatorDef def;
  def.set_type(one.type);
  def.set_name(one.name);
  for (std::size_t i = 0; i < one.inputs.size(); ++i) def.add_input("x" + std::to_string(i));
  for (int o = 0; o < one.outputs; ++o) def.add_output("y" + std::to_string(o));
  for (const Argument& argument : one.args) *def.add_arg() = argument;
  return def;
}

CaseRuns run_case(const OpCase& one, const std::vector<Tensor>& inputs, const std::vector<int>& needed) {
  CaseRuns result;
  Workspace workspace;
  const NetEnvironment environment = ops_environment(workspace, Engine::kReference);
  const auto run = [&](const OperatorDef& def) {
    OpRun& added = result.runs.emplace_back();
    added.def = def;
    for (const std::string& name : def.input()) added.inputs.push_back(rounded(workspace.fetch(name)));
    Operator(def, environment).run();
  };

  const OperatorDef forward = forward_def(one);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    workspace.feed(forward.input(static_cast<int>(i)), rounded(inputs[i]));
  }
  if (one.setup) one.setup(workspace);
  run(forward);
  if (needed.empty()) return result;

  std::vector<std::string> output_gradients;
  result.projection.resize(static_cast<std::size_t>(one.outputs));
  for (int o = 0; o < one.outputs; ++o) {
    const bool comes_back = std::count(one.gradient_outputs.begin(), one.gradient_outputs.end(), o) > 0;
    output_gradients.push_back(comes_back ? forward.output(o) + "_grad" : "");
    if (!comes_back) continue;
    Tensor& projection = result.projection[static_cast<std::size_t>(o)];
    const Shape& shape = workspace.fetch(forward.output(o)).shape();
    projection = rounded(random_tensor(shape, 900 + static_cast<std::uint32_t>(o), -1.0, 1.0, 0.25));
    workspace.feed(output_gradients.back(), projection);
  }
  std::vector<bool> needs(inputs.size(), false);
  for (const int i : needed) needs[static_cast<std::size_t>(i)] = true;
  const GradientContext context(forward, output_gradients, needs);
  const Gradients gradients = all_operators().find(one.type).make_gradients(context);
  for (const OperatorDef& def : gradients.ops) run(def);
  for (const int i : needed) {
    const std::string& name = gradients.input_gradients[static_cast<std::size_t>(i)];
    EXPECT_FALSE(name.empty()) << "the rule of " << one.type << " gives no gradient of input " << i;
    if (!name.empty()) result.gradients[i] = workspace.fetch(name).clone();
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_TRUE(needs[i] || gradients.input_gradients[i].empty())
        << "the rule of " << one.type << " makes a gradient of input " << i << ", which nobody needs";
  }
  return result;
}

}  // namespace lockstep
