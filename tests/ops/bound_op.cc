// SPDX-License-Identifier: Apache-2.0
#include "ops/bound_op.h"

#include <cstring>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/collective/collective_ops.h"
#include "lockstep/ops/catalog.h"
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

bool is_real(const Tensor& tensor) { return tensor.dtype() == DType::kF32 || tensor.dtype() == DType::kF64; }

const OpCatalog* replacement = nullptr;

}  // namespace

UseCatalog::UseCatalog(const OpCatalog& catalog) { replacement = &catalog; }
UseCatalog::~UseCatalog() { replacement = nullptr; }

const OpCatalog& all_operators() {
  if (replacement != nullptr) return *replacement;
  static const OpCatalog catalog = [] {
    OpCatalog made;
    register_ops(made);
    register_collective_ops(made);
    register_solver_ops(made);
    return made;
  }();
  return catalog;
}

NetEnvironment ops_environment(Workspace& workspace, Engine engine) {
  static CpuDevice device;
  NetEnvironment environment;
  environment.catalog = &all_operators();
  environment.workspace = &workspace;
  environment.devices = {&device};
  environment.engine = engine;
  return environment;
}

Tensor as_real(const Tensor& tensor, Engine engine) {
  if (!is_real(tensor)) return tensor.clone();
  return convert_dtype(tensor, engine == Engine::kReference ? DType::kF64 : DType::kF32);
}

Tensor rounded(const Tensor& tensor) {
  if (!is_real(tensor)) return tensor.clone();
  return convert_dtype(convert_dtype(tensor, DType::kF32), DType::kF64);
}

BoundOp::BoundOp(const OperatorDef& def, Engine engine, std::function<void(Workspace&)> setup)
    : def_(def), engine_(engine), setup_(std::move(setup)) {
  for (const std::string& name : def_.input()) workspace_.create(name);
  op_ = std::make_unique<Operator>(def_, ops_environment(workspace_, engine_));
}

std::vector<Tensor> BoundOp::run(const std::vector<Tensor>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    workspace_.feed(def_.input(static_cast<int>(i)), as_real(inputs[i], engine_));
  }
  if (setup_) setup_(workspace_);
  op_->run();
  std::vector<Tensor> outputs;
  for (const std::string& name : def_.output()) outputs.push_back(workspace_.fetch(name).clone());
  return outputs;
}

void BoundOp::poison_outputs() {
  for (const std::string& name : def_.output()) {
    Tensor& tensor = workspace_.get(name).tensor();
    if (tensor.bytes() > 0) std::memset(tensor.raw(), 0x5a, tensor.bytes());
  }
}

}  // namespace lockstep
