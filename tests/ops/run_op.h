// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ops/bound_op.h"
#include "ops/op_case.h"

namespace lockstep {

// The outputs of one operator run once on the device engine.
inline std::vector<Tensor> run_op(const std::string& type, const std::vector<Argument>& args,
                                  const std::vector<Tensor>& inputs, int outputs) {
  OperatorDef def;
  def.set_type(type);
  def.set_name(type);
  for (std::size_t i = 0; i < inputs.size(); ++i) def.add_input("x" + std::to_string(i));
  for (int o = 0; o < outputs; ++o) def.add_output("y" + std::to_string(o));
  for (const Argument& argument : args) *def.add_arg() = argument;
  return BoundOp(def, Engine::kDevice).run(inputs);
}

}  // namespace lockstep
