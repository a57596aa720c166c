// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/graph/operator.h"

namespace lockstep {

// Every operator that a training step is made of (the rooms ops, collective and solver), and the device that they are
// tested on.
const OpCatalog& all_operators();
NetEnvironment ops_environment(Workspace& workspace, Engine engine);

// While it lives, all_operators() is another one: the harness is itself tested with operators that are wrong.
class UseCatalog {
 public:
  explicit UseCatalog(const OpCatalog& catalog);
  ~UseCatalog();
  UseCatalog(const UseCatalog&) = delete;
  UseCatalog& operator=(const UseCatalog&) = delete;
};

// The tensor as the real type of the engine; other types are only copied.
Tensor as_real(const Tensor& tensor, Engine engine);
// Real values rounded to float and held as double: inputs that both engines can start from.
Tensor rounded(const Tensor& tensor);

// One operator with a workspace of its own.
class BoundOp {
 public:
  BoundOp(const OperatorDef& def, Engine engine, std::function<void(Workspace&)> setup = nullptr);

  // Feeds the inputs (as the engine's real type, layouts kept), runs, and copies the outputs.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs);
  // Overwrites what the outputs hold, padding included, so that a kernel that leaves gaps is found out.
  void poison_outputs();
  Workspace& workspace() { return workspace_; }

 private:
  OperatorDef def_;
  Engine engine_;
  std::function<void(Workspace&)> setup_;
  Workspace workspace_;
  std::unique_ptr<Operator> op_;
};

}  // namespace lockstep
