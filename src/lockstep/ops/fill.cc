// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void constant_fill_cpu(KernelContext& context);
template <typename T>
void gaussian_fill_cpu(KernelContext& context);
template <typename T>
void msra_fill_cpu(KernelContext& context);
template <typename T>
void xavier_fill_cpu(KernelContext& context);

namespace {

constexpr char kNoInputs[] = "it has no inputs";
constexpr char kKeyDoc[] =
    "names the draws: value i depends only on (seed, key, i). The parameter's name without the device's scope, so that "
    "replicas are equal";

TensorInfo filled(const InferContext& context, DType dtype) {
  const Shape& shape = context.args().integers("shape");
  for (const std::int64_t size : shape) {
    LS_CHECK(kShape, size >= 0, "argument 'shape' must not hold negative sizes, got {}", to_string(shape));
  }
  return {dtype, shape};
}

std::vector<TensorInfo> infer_random(const InferContext& context) {
  LS_CHECK(kGraph, !context.args().text("key").empty(), "argument 'key' must not be empty: it names the draws");
  return {filled(context, context.real())};
}

std::vector<TensorInfo> infer_filter(const InferContext& context) {
  const Shape& shape = context.args().integers("shape");
  LS_CHECK(kShape, shape.size() >= 2, "a filter has at least the axes output and input, got shape {}",
           to_string(shape));
  return infer_random(context);
}

DType dtype_of(const InferContext& context) {
  const std::string& name = context.args().text("dtype");
  if (name == "real") return context.real();
  for (const DType dtype : {DType::kI32, DType::kI64, DType::kU8}) {
    if (name == to_string(dtype)) return dtype;
  }
  LS_THROW(kGraph, "argument 'dtype' must be real, i32, i64 or u8, got '{}'", name);
}

}  // namespace

OpSchema constant_fill_schema() {
  return OpSchema("ConstantFill")
      .doc("Y = value everywhere. (Caffe2's ConstantFill.)")
      .output("Y", "of the given shape")
      .required_arg("shape", std::vector<std::int64_t>{}, "sizes; an empty list is one element without axes")
      .arg("value", 0.0, "the value, cut to a whole number for integer types")
      .arg("dtype", std::string("real"), "real, i32, i64 or u8")
      .infer(
          [](const InferContext& context) -> std::vector<TensorInfo> { return {filled(context, dtype_of(context))}; })
      .no_gradient(kNoInputs)
      .cpu(function_kernel(constant_fill_cpu))
      .reference(function_kernel(constant_fill_cpu));
}

OpSchema gaussian_fill_schema() {
  return OpSchema("GaussianFill")
      .doc("Y = mean + std * a standard normal draw per element. (Caffe2's GaussianFill.)")
      .output("Y", "of the given shape")
      .required_arg("shape", std::vector<std::int64_t>{}, "sizes")
      .arg("mean", 0.0, "mean")
      .arg("std", 1.0, "standard deviation")
      .range(0.0, 1e6)
      .required_arg("key", std::string(), kKeyDoc)
      .infer(infer_random)
      .no_gradient(kNoInputs)
      .cpu(function_kernel(gaussian_fill_cpu<float>))
      .reference(function_kernel(gaussian_fill_cpu<double>));
}

OpSchema msra_fill_schema() {
  return OpSchema("MSRAFill")
      .doc(
          "Normal draws of mean 0 and standard deviation sqrt(2 / fan_out), fan_out = outputs * kernel area (He et "
          "al., "
          "ICCV 2015; fvcore's c2_msra_fill).")
      .output("Y", "a filter: outputs, inputs per group, kernel sides")
      .required_arg("shape", std::vector<std::int64_t>{}, "sizes")
      .required_arg("key", std::string(), kKeyDoc)
      .infer(infer_filter)
      .no_gradient(kNoInputs)
      .cpu(function_kernel(msra_fill_cpu<float>))
      .reference(function_kernel(msra_fill_cpu<double>));
}

OpSchema xavier_fill_schema() {
  return OpSchema("XavierFill")
      .doc(
          "Uniform draws in +-sqrt(3 / fan_in), fan_in = inputs * kernel area (Glorot & Bengio, AISTATS 2010; fvcore's "
          "c2_xavier_fill).")
      .output("Y", "a filter: outputs, inputs per group, kernel sides")
      .required_arg("shape", std::vector<std::int64_t>{}, "sizes")
      .required_arg("key", std::string(), kKeyDoc)
      .infer(infer_filter)
      .no_gradient(kNoInputs)
      .cpu(function_kernel(xavier_fill_cpu<float>))
      .reference(function_kernel(xavier_fill_cpu<double>));
}

}  // namespace lockstep
