// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

template <typename T>
void sgd_update(KernelContext& context) {
  const T* gradient = context.input(0).data<T>();
  const T* momentum = context.input(1).data<T>();
  const T* parameter = context.input(3).data<T>();
  T* momentum_out = context.output(0).data<T>();
  T* parameter_out = context.output(1).data<T>();
  const T lr = context.input(2).data<T>()[0] * static_cast<T>(context.args().number("lr_factor"));
  const T mu = static_cast<T>(context.args().number("momentum"));
  const bool nesterov = context.args().flag("nesterov");
  const std::int64_t count = context.input(0).size();
  for (std::int64_t i = 0; i < count; ++i) {
    const T velocity = mu * momentum[i] + gradient[i];
    const T step = nesterov ? gradient[i] + mu * velocity : velocity;
    momentum_out[i] = velocity;
    parameter_out[i] = parameter[i] - lr * step;
  }
}

std::vector<TensorInfo> infer_update(const InferContext& context) {
  for (int i = 0; i < 4; ++i) context.require_real(i);
  context.require_same_shape(0, 1);
  context.require_same_shape(0, 3);
  context.require_rank(2, 1);
  context.require_dim(2, 0, 1, "one learning rate");
  return {context.input(1), context.input(3)};
}

}  // namespace

OpSchema sgd_update_schema() {
  return OpSchema("SGDUpdate")
      .doc(
          "The update of torch.optim.SGD, which Detectron2 trains with: the learning rate is outside the velocity. "
          "v = mu * m + g; step = v, or g + mu * v with Nesterov's momentum; m = v; p -= lr * lr_factor * step.")
      .input("gradient", "g, of the parameter's shape, weight decay included")
      .input("momentum", "m, of the parameter's shape; zeros before the first step")
      .input("lr", "learning rate, one element")
      .input("parameter", "p, any shape")
      .output("momentum", "the new velocity")
      .output("parameter", "the updated parameter")
      .in_place(1, 0)
      .in_place(3, 1)
      .arg("momentum", 0.0, "mu")
      .range(0.0, 1.0)
      .arg("nesterov", std::int64_t{0}, "1 for Nesterov's momentum")
      .range(0, 1)
      .arg("lr_factor", 1.0, "multiplies the learning rate (SOLVER.BIAS_LR_FACTOR for biases)")
      .infer(infer_update)
      .no_gradient("it ends a training step")
      .flops_per_output(4)
      .cpu(function_kernel(sgd_update<float>))
      .reference(function_kernel(sgd_update<double>));
}

}  // namespace lockstep
