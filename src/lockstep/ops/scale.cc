// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/schemas.h"

namespace lockstep {
namespace {

template <typename T>
void scale(KernelContext& context) {
  const T factor = static_cast<T>(context.args().number("scale"));
  const T* from = context.input(0).data<T>();
  T* to = context.output(0).data<T>();
  const std::int64_t count = context.input(0).storage_size();
  for (std::int64_t i = 0; i < count; ++i) to[i] = factor * from[i];
}

}  // namespace

OpSchema scale_schema() {
  return OpSchema("Scale")
      .doc("Multiplies each element by a constant, as Caffe2's Scale.")
      .input("x", "real, any shape and layout")
      .output("y", "scale * x, of the shape of x")
      .in_place(0, 0)
      .arg("scale", 1.0, "the factor")
      .layouts(LayoutRule::kSame)
      .infer(same_as_first_input)
      .gradient([](const GradientContext& g) -> Gradients {
        return {{g.make("Scale", {g.output_gradient(0)}, {g.input_gradient(0)})}, {g.input_gradient(0)}};
      })
      .flops_per_output(1)
      .cpu(function_kernel(scale<float>))
      .reference(function_kernel(scale<double>));
}

}  // namespace lockstep
