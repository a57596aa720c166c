// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void concat_predictions_cpu(KernelContext& context);
void concat_predictions_reference(KernelContext& context);
void concat_predictions_gradient_cpu(KernelContext& context);
void concat_predictions_gradient_reference(KernelContext& context);

namespace {

constexpr const char* kColumnsDoc = "values per anchor: 1 for objectness, 4 for box deltas, C for class scores";

// Rows of the joined table for predictions at inputs first..; -1 when a size is not known.
std::int64_t joined_rows(const InferContext& context, int first) {
  const std::int64_t columns = context.args().integer("columns");
  std::int64_t rows = 0;
  for (int i = first; i < context.input_count(); ++i) {
    context.require_real(i);
    context.require_rank(i, 4);
    context.require_dim(i, 0, context.dim(first, 0), "the images of the first level");
    const std::int64_t channels = context.dim(i, 1);
    LS_CHECK(kShape, channels < 0 || channels % columns == 0,
             "[ConcatPredictions] level {} has {} channels; wanted a multiple of columns = {}", i - first, channels,
             columns);
    const auto& shape = context.input(i).shape;
    const bool known = rows >= 0 && shape[0] >= 0 && channels >= 0 && shape[2] >= 0 && shape[3] >= 0;
    rows = known ? rows + shape[0] * (channels / columns) * shape[2] * shape[3] : -1;
  }
  return rows;
}

Gradients concat_predictions_rule(const GradientContext& context) {
  Gradients gradients;
  if (context.output_gradient(0).empty()) {
    gradients.input_gradients.resize(static_cast<std::size_t>(context.input_count()));
    return gradients;
  }
  std::vector<std::string> inputs = {context.output_gradient(0)};
  std::vector<std::string> outputs;
  for (int i = 0; i < context.input_count(); ++i) {
    inputs.push_back(context.input(i));
    outputs.push_back(context.input_gradient(i));
    gradients.input_gradients.push_back(context.needs_gradient(i) ? context.input_gradient(i) : "");
  }
  gradients.ops.push_back(context.make("ConcatPredictionsGradient", inputs, outputs));
  return gradients;
}

}  // namespace

OpSchema concat_predictions_schema() {
  OpSchema schema("ConcatPredictions");
  schema
      .doc(
          "Joins the predictions of a dense head over all pyramid levels into one table with a row per anchor, ordered "
          "image, level, y, x, anchor: the order of the joined Anchors.")
      .input("predictions", "[N,A*columns,H,W] per level, any layout; channel a * columns + k is value k of anchor a")
      .variadic_inputs(1)
      .output("table", "[N*R,columns], R anchors per image over all levels")
      .required_arg("columns", std::int64_t{1}, kColumnsDoc)
      .range(1, 1 << 20)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        return std::vector<TensorInfo>{{context.real(), {joined_rows(context, 0), context.args().integer("columns")}}};
      })
      .gradient(concat_predictions_rule)
      .cpu(function_kernel(concat_predictions_cpu))
      .reference(function_kernel(concat_predictions_reference));
  return schema;
}

OpSchema concat_predictions_gradient_schema() {
  OpSchema schema("ConcatPredictionsGradient");
  schema.doc("The gradient of ConcatPredictions: deals the rows of the table back to the levels.")
      .input("table_gradient", "[N*R,columns]")
      .input("predictions", "[N,A*columns,H,W] per level; only shape and layout are read")
      .variadic_inputs(2)
      .output("predictions_gradient", "per level, in the shape and layout of its predictions")
      .variadic_outputs(1)
      .required_arg("columns", std::int64_t{1}, kColumnsDoc)
      .range(1, 1 << 20)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        context.require_real(0);
        context.require_rank(0, 2);
        const std::int64_t rows = joined_rows(context, 1);
        if (rows >= 0) context.require_dim(0, 0, rows, "one row per anchor of every image");
        context.require_dim(0, 1, context.args().integer("columns"), "columns");
        LS_CHECK(kGraph, context.output_count() == context.input_count() - 1,
                 "[ConcatPredictionsGradient] has {} outputs for {} levels", context.output_count(),
                 context.input_count() - 1);
        std::vector<TensorInfo> outputs;
        for (int i = 1; i < context.input_count(); ++i) outputs.push_back(context.input(i));
        return outputs;
      })
      .no_gradient("it is a gradient")
      .chooser([](DeviceContext&, const OpSizes& sizes) {
        KernelChoice choice = own_kernel_in(Layout::kPlain, sizes);
        choice.layouts.assign(sizes.layouts.begin() + 1, sizes.layouts.end());
        return choice;
      })
      .cpu(function_kernel(concat_predictions_gradient_cpu))
      .reference(function_kernel(concat_predictions_gradient_reference));
  return schema;
}

}  // namespace lockstep
