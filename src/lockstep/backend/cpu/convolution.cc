// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/backend/cpu/dnnl_plan.h"
#include "lockstep/base/check.h"

namespace lockstep {
namespace {

using dnnl::memory;

// One convolution's sizes, and the oneDNN descriptors made from them.
struct Convolution {
  Shape x, w, y;
  ConvGeometry geometry;
  bool bias;

  Convolution(const Shape& x_shape, const Shape& w_shape, const ConvGeometry& g, bool with_bias)
      : x(x_shape), w(w_shape), geometry(g), bias(with_bias) {
    LS_ASSERT(x.size() == 4 && w.size() == 4 && g.group >= 1 && x[1] == w[1] * g.group && w[0] % g.group == 0,
              "convolution of x{} with w{} in {} groups", to_string(x), to_string(w), g.group);
    y = {x[0], w[0], window_output_size(x[2], w[2], g.stride, g.pad, g.dilation),
         window_output_size(x[3], w[3], g.stride, g.pad, g.dilation)};
    LS_ASSERT(y[2] >= 0 && y[3] >= 0, "convolution of x{} with w{} has no output", to_string(x), to_string(w));
  }

  bool empty() const { return element_count(y) == 0 || element_count(x) == 0; }

  // Weights as oneDNN sees them: groups are an axis of their own.
  Shape weights() const {
    if (geometry.group == 1) return w;
    return {geometry.group, w[0] / geometry.group, w[1], w[2], w[3]};
  }
  memory::dims strides() const { return {geometry.stride, geometry.stride}; }
  memory::dims dilates() const { return {geometry.dilation - 1, geometry.dilation - 1}; }
  memory::dims pads() const { return {geometry.pad, geometry.pad}; }
  memory::desc bias_desc() const { return bias ? plain_desc({w[0]}) : memory::desc(); }

  dnnl::convolution_forward::primitive_desc forward(const memory::desc& x_desc, const memory::desc& y_desc) const {
    const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
                                               x_desc, any_desc(weights()), bias_desc(), y_desc, strides(), dilates(),
                                               pads(), pads());
    return {desc, user_scratchpad(), cpu_engine()};
  }
  dnnl::convolution_forward::primitive_desc hint() const { return forward(any_desc(x), any_desc(y)); }

  std::string describe(const char* what) const {
    return fmt::format("{} of x{} with w{}, stride {}, pad {}, dilation {}, group {}", what, to_string(x), to_string(w),
                       geometry.stride, geometry.pad, geometry.dilation, geometry.group);
  }

  PrimitiveKey key(PlanKind kind, const CpuDevice& device) const {
    PrimitiveKey key = plan_key(kind, device);
    append(key, x);
    append(key, w);
    key.insert(key.end(), {geometry.stride, geometry.pad, geometry.dilation, geometry.group, bias ? 1 : 0});
    return key;
  }
};

std::shared_ptr<DnnlPlan> make_forward(const Convolution& conv, Layout x_layout) {
  auto pd = conv.hint();
  std::optional<Layout> layout = layout_of(pd.dst_desc());
  if (!layout) {
    pd = conv.forward(any_desc(conv.x), image_desc(conv.y, Layout::kPlain));
    layout = Layout::kPlain;
  }
  std::vector<DnnlPlan::Port> inputs = {{DNNL_ARG_SRC, image_desc(conv.x, x_layout)},
                                        {DNNL_ARG_WEIGHTS, plain_desc(conv.weights())}};
  if (conv.bias) inputs.push_back({DNNL_ARG_BIAS, conv.bias_desc()});
  auto plan = std::make_shared<DnnlPlan>(pd, inputs, std::vector<DnnlPlan::Port>{{DNNL_ARG_DST, pd.dst_desc()}});
  plan->layout = *layout;
  return plan;
}

std::shared_ptr<DnnlPlan> make_backward_data(const Convolution& conv, Layout dy_layout) {
  const auto describe = [&](const memory::desc& dx_desc) {
    const dnnl::convolution_backward_data::desc desc(dnnl::algorithm::convolution_direct, dx_desc,
                                                     any_desc(conv.weights()), any_desc(conv.y), conv.strides(),
                                                     conv.dilates(), conv.pads(), conv.pads());
    return dnnl::convolution_backward_data::primitive_desc(desc, user_scratchpad(), cpu_engine(), conv.hint());
  };
  auto pd = describe(any_desc(conv.x));
  std::optional<Layout> layout = layout_of(pd.diff_src_desc());
  if (!layout) {
    pd = describe(image_desc(conv.x, Layout::kPlain));
    layout = Layout::kPlain;
  }
  const std::vector<DnnlPlan::Port> inputs = {{DNNL_ARG_DIFF_DST, image_desc(conv.y, dy_layout)},
                                              {DNNL_ARG_WEIGHTS, plain_desc(conv.weights())}};
  auto plan =
      std::make_shared<DnnlPlan>(pd, inputs, std::vector<DnnlPlan::Port>{{DNNL_ARG_DIFF_SRC, pd.diff_src_desc()}});
  plan->layout = *layout;
  return plan;
}

std::shared_ptr<DnnlPlan> make_backward_weights(const Convolution& conv, Layout x_layout, Layout dy_layout) {
  const dnnl::convolution_backward_weights::desc desc(dnnl::algorithm::convolution_direct, any_desc(conv.x),
                                                      any_desc(conv.weights()), conv.bias_desc(), any_desc(conv.y),
                                                      conv.strides(), conv.dilates(), conv.pads(), conv.pads());
  const dnnl::convolution_backward_weights::primitive_desc pd(desc, user_scratchpad(), cpu_engine(), conv.hint());
  std::vector<DnnlPlan::Port> outputs = {{DNNL_ARG_DIFF_WEIGHTS, plain_desc(conv.weights())}};
  if (conv.bias) outputs.push_back({DNNL_ARG_DIFF_BIAS, conv.bias_desc()});
  const std::vector<DnnlPlan::Port> inputs = {{DNNL_ARG_SRC, image_desc(conv.x, x_layout)},
                                              {DNNL_ARG_DIFF_DST, image_desc(conv.y, dy_layout)}};
  return std::make_shared<DnnlPlan>(pd, inputs, outputs);
}

using Plan = std::shared_ptr<const DnnlPlan>;

Plan forward_plan(CpuDevice& device, const Convolution& conv, Layout x_layout) {
  PrimitiveKey key = conv.key(PlanKind::kConvolutionForward, device);
  append(key, x_layout);
  return find_plan(
      device, key, [&] { return conv.describe("convolution"); }, [&] { return make_forward(conv, x_layout); });
}

constexpr char kDataGradient[] = "data gradient of the convolution";

Plan backward_data_plan(CpuDevice& device, const Convolution& conv, Layout dy_layout) {
  PrimitiveKey key = conv.key(PlanKind::kConvolutionData, device);
  append(key, dy_layout);
  return find_plan(
      device, key, [&] { return conv.describe(kDataGradient); }, [&] { return make_backward_data(conv, dy_layout); });
}

constexpr char kWeightGradient[] = "weight gradient of the convolution";

Plan backward_weights_plan(CpuDevice& device, const Convolution& conv, Layout x_layout, Layout dy_layout) {
  PrimitiveKey key = conv.key(PlanKind::kConvolutionWeights, device);
  append(key, x_layout);
  append(key, dy_layout);
  return find_plan(
      device, key, [&] { return conv.describe(kWeightGradient); },
      [&] { return make_backward_weights(conv, x_layout, dy_layout); });
}

DnnlReport nothing_to_do() { return {"none: empty", Layout::kPlain, {}, {}}; }

}  // namespace

std::int64_t window_output_size(std::int64_t input, std::int64_t kernel, std::int64_t stride, std::int64_t pad,
                                std::int64_t dilation) {
  if (input == 0) return 0;
  const std::int64_t room = input + 2 * pad - (dilation * (kernel - 1) + 1);
  return room < 0 ? -1 : room / stride + 1;
}

void convolution_forward(CpuDevice& device, const Tensor& x, const Tensor& w, const Tensor* bias,
                         const ConvGeometry& geometry, Tensor& y) {
  const Convolution conv(x.shape(), w.shape(), geometry, bias != nullptr);
  if (conv.empty()) return y.resize(DType::kF32, conv.y), y.fill_zero();
  const Plan plan = forward_plan(device, conv, x.layout());
  y.resize(DType::kF32, conv.y, plan->layout);
  std::vector<const void*> inputs = {x.raw(), w.raw()};
  if (bias != nullptr) inputs.push_back(bias->raw());
  run_plan(device, *plan, [&] { return conv.describe("convolution"); }, inputs, {y.raw()});
}

DnnlReport report_convolution_forward(CpuDevice& device, const Shape& x, Layout x_layout, const Shape& w, bool bias,
                                      const ConvGeometry& geometry) {
  const Convolution conv(x, w, geometry, bias);
  return conv.empty() ? nothing_to_do() : forward_plan(device, conv, x_layout)->report();
}

void convolution_backward_data(CpuDevice& device, const Shape& x_shape, const Tensor& w, const Tensor& dy,
                               const ConvGeometry& geometry, Tensor& dx) {
  const Convolution conv(x_shape, w.shape(), geometry, false);
  if (conv.empty()) return dx.resize(DType::kF32, conv.x), dx.fill_zero();
  const Plan plan = backward_data_plan(device, conv, dy.layout());
  dx.resize(DType::kF32, conv.x, plan->layout);
  run_plan(device, *plan, [&] { return conv.describe(kDataGradient); }, {dy.raw(), w.raw()}, {dx.raw()});
}

DnnlReport report_convolution_backward_data(CpuDevice& device, const Shape& x, const Shape& w, Layout dy_layout,
                                            const ConvGeometry& geometry) {
  const Convolution conv(x, w, geometry, false);
  return conv.empty() ? nothing_to_do() : backward_data_plan(device, conv, dy_layout)->report();
}

void convolution_backward_weights(CpuDevice& device, const Tensor& x, const Shape& w_shape, const Tensor& dy,
                                  const ConvGeometry& geometry, Tensor& dw, Tensor* dbias) {
  const Convolution conv(x.shape(), w_shape, geometry, dbias != nullptr);
  dw.resize(DType::kF32, w_shape);
  if (dbias != nullptr) dbias->resize(DType::kF32, {w_shape[0]});
  if (conv.empty()) {
    dw.fill_zero();
    if (dbias != nullptr) dbias->fill_zero();
    return;
  }
  const Plan plan = backward_weights_plan(device, conv, x.layout(), dy.layout());
  std::vector<void*> outputs = {dw.raw()};
  if (dbias != nullptr) outputs.push_back(dbias->raw());
  run_plan(
      device, *plan, [&] { return conv.describe(kWeightGradient); }, {x.raw(), dy.raw()}, outputs);
}

DnnlReport report_convolution_backward_weights(CpuDevice& device, const Shape& x, Layout x_layout, const Shape& w,
                                               Layout dy_layout, const ConvGeometry& geometry, bool bias) {
  const Convolution conv(x, w, geometry, bias);
  return conv.empty() ? nothing_to_do() : backward_weights_plan(device, conv, x_layout, dy_layout)->report();
}

}  // namespace lockstep
