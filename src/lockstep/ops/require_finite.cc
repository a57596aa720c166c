// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "lockstep/base/check.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {
namespace {

template <typename T>
void require_finite(KernelContext& context) {
  bool finite = true;
  for (int i = 1; i < context.input_count(); ++i) {
    const Tensor& values = context.input(i);
    for (std::int64_t k = 0; k < values.size(); ++k) finite = finite && std::isfinite(values.data<T>()[k]);
  }
  if (finite) return;
  std::string text;
  for (int i = 1; i < context.input_count(); ++i) {
    const Tensor& values = context.input(i);
    for (std::int64_t k = 0; k < values.size(); ++k) {
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", context.input_blob_name(i), values.data<T>()[k]);
    }
  }
  const Tensor& samples = context.input(0);
  LS_THROW(kNumeric,
           "a loss is not finite: {}; samples {}. Usual causes: SOLVER.BASE_LR too high, too short a warm-up "
           "(SOLVER.WARMUP_ITERS), boxes that do not fit their images",
           text, fmt::join(samples.data<std::int64_t>(), samples.data<std::int64_t>() + samples.size(), ", "));
}

}  // namespace

OpSchema require_finite_schema() {
  return OpSchema("RequireFinite")
      .doc(
          "Stops the run when a loss is not finite, before its gradient can reach a parameter: the error names the "
          "losses and the samples that they come from.")
      .input("sample_ids", "i64[N], the samples of the micro-batch")
      .input("values", "real, any shape: the losses")
      .variadic_inputs(2)
      .infer([](const InferContext& context) -> std::vector<TensorInfo> {
        context.require_dtype(0, DType::kI64);
        for (int i = 1; i < context.input_count(); ++i) context.require_real(i);
        return {};
      })
      .no_gradient("it only checks")
      .cpu(function_kernel(require_finite<float>))
      .reference(function_kernel(require_finite<double>));
}

}  // namespace lockstep
