// SPDX-License-Identifier: Apache-2.0
#include "lockstep/solver/solver_ops.h"

namespace lockstep {
namespace {

template <typename T>
void momentum_sgd_update(KernelContext& context) {
  const T* gradient = context.input(0).data<T>();
  const T* momentum = context.input(1).data<T>();
  const T lr = context.input(2).data<T>()[0];
  const T* parameter = context.input(3).data<T>();
  T* step_out = context.output(0).data<T>();
  T* momentum_out = context.output(1).data<T>();
  T* parameter_out = context.output(2).data<T>();
  const T mu = static_cast<T>(context.args().number("momentum"));
  const bool nesterov = context.args().flag("nesterov");
  const std::int64_t count = context.input(0).size();
  for (std::int64_t i = 0; i < count; ++i) {
    const T old_velocity = momentum[i];
    const T velocity = lr * gradient[i] + mu * old_velocity;
    const T step = nesterov ? (T{1} + mu) * velocity - mu * old_velocity : velocity;
    momentum_out[i] = velocity;
    step_out[i] = step;
    parameter_out[i] = parameter[i] - step;
  }
}

std::vector<TensorInfo> infer_update(const InferContext& context) {
  for (int i = 0; i < 4; ++i) context.require_real(i);
  context.require_same_shape(0, 1);
  context.require_same_shape(0, 3);
  context.require_rank(2, 1);
  context.require_dim(2, 0, 1, "one learning rate");
  return {context.input(0), context.input(1), context.input(3)};
}

}  // namespace

OpSchema momentum_sgd_update_schema() {
  return OpSchema("MomentumSGDUpdate")
      .doc(
          "The ancestors' update (Caffe2 MomentumSGDUpdate): the learning rate is inside the velocity. Plain: "
          "v = lr * g + mu * m; step = v. Nesterov: step = (1 + mu) * v - mu * m. Then m = v, g = step, p -= step.")
      .input("gradient", "g, of the parameter's shape")
      .input("momentum", "m, of the parameter's shape; zeros before the first step")
      .input("lr", "learning rate, one element")
      .input("parameter", "p, any shape")
      .output("gradient", "the step that was taken")
      .output("momentum", "the new velocity")
      .output("parameter", "the updated parameter")
      .in_place(0, 0)
      .in_place(1, 1)
      .in_place(3, 2)
      .arg("momentum", 0.0, "mu")
      .range(0.0, 1.0)
      .arg("nesterov", std::int64_t{0}, "1 for Nesterov's momentum")
      .range(0, 1)
      .infer(infer_update)
      .no_gradient("it ends a training step")
      .flops_per_output(4)
      .cpu(function_kernel(momentum_sgd_update<float>))
      .reference(function_kernel(momentum_sgd_update<double>));
}

}  // namespace lockstep
