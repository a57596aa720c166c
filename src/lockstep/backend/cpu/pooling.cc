// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/backend/cpu/dnnl_plan.h"
#include "lockstep/base/check.h"

namespace lockstep {
namespace {

Shape pooled_shape(const Shape& x, const PoolGeometry& g) {
  const Shape y = {x[0], x[1], window_output_size(x[2], g.kernel, g.stride, g.pad),
                   window_output_size(x[3], g.kernel, g.stride, g.pad)};
  LS_ASSERT(y[2] >= 0 && y[3] >= 0, "pooling of x{} has no output", to_string(x));
  return y;
}

std::string describe(const char* what, const Shape& x, const PoolGeometry& g) {
  return fmt::format("{} of x{}, kernel {}, stride {}, pad {}", what, to_string(x), g.kernel, g.stride, g.pad);
}

PrimitiveKey pool_key(PlanKind kind, const CpuDevice& device, const Shape& x, const PoolGeometry& g) {
  PrimitiveKey key = plan_key(kind, device);
  append(key, x);
  key.insert(key.end(), {g.kernel, g.stride, g.pad});
  return key;
}

// x, y and the workspace share one layout, so the workspace can travel between ops as a tensor.
dnnl::pooling_forward::primitive_desc forward_desc(const Shape& x, const PoolGeometry& g, Layout layout,
                                                   bool with_index) {
  const dnnl::memory::dims kernel(2, g.kernel), stride(2, g.stride), pad(2, g.pad);
  const dnnl::pooling_forward::desc desc(
      with_index ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference, dnnl::algorithm::pooling_max,
      image_desc(x, layout), image_desc(pooled_shape(x, g), layout), stride, kernel, pad, pad);
  return {desc, user_scratchpad(), cpu_engine()};
}

using Ports = std::vector<DnnlPlan::Port>;

}  // namespace

void max_pool_forward(CpuDevice& device, const Tensor& x, const PoolGeometry& geometry, Tensor& y, Tensor* index) {
  const Shape y_shape = pooled_shape(x.shape(), geometry);
  y.resize(DType::kF32, y_shape, x.layout());
  if (index != nullptr) index->resize(DType::kU8, y_shape, x.layout());
  if (y.size() == 0) return;
  PrimitiveKey key = pool_key(PlanKind::kPoolForward, device, x.shape(), geometry);
  append(key, x.layout());
  key.push_back(index != nullptr ? 1 : 0);
  const auto what = [&] { return describe("max pooling", x.shape(), geometry); };
  const auto plan = find_plan(device, key, what, [&] {
    Ports outputs = {{DNNL_ARG_DST, image_desc(y_shape, x.layout())}};
    if (index != nullptr) outputs.push_back({DNNL_ARG_WORKSPACE, image_desc(y_shape, x.layout(), DType::kU8)});
    return std::make_shared<DnnlPlan>(forward_desc(x.shape(), geometry, x.layout(), index != nullptr),
                                      Ports{{DNNL_ARG_SRC, image_desc(x.shape(), x.layout())}}, outputs);
  });
  std::vector<void*> outputs = {y.raw()};
  if (index != nullptr) outputs.push_back(index->raw());
  run_plan(device, *plan, what, {x.raw()}, outputs);
}

void max_pool_backward(CpuDevice& device, const Shape& x_shape, const Tensor& index, const Tensor& dy,
                       const PoolGeometry& geometry, Tensor& dx) {
  const Layout layout = index.layout();
  dx.resize(DType::kF32, x_shape, layout);
  if (index.size() == 0) return dx.fill_zero();
  PrimitiveKey key = pool_key(PlanKind::kPoolBackward, device, x_shape, geometry);
  append(key, layout);
  append(key, dy.layout());
  const auto what = [&] { return describe("gradient of the max pooling", x_shape, geometry); };
  const auto plan = find_plan(device, key, what, [&] {
    const dnnl::memory::dims kernel(2, geometry.kernel), stride(2, geometry.stride), pad(2, geometry.pad);
    const dnnl::memory::desc x_desc = image_desc(x_shape, layout);
    const dnnl::pooling_backward::desc desc(dnnl::algorithm::pooling_max, x_desc, image_desc(dy.shape(), layout),
                                            stride, kernel, pad, pad);
    const dnnl::pooling_backward::primitive_desc pd(desc, user_scratchpad(), cpu_engine(),
                                                    forward_desc(x_shape, geometry, layout, true));
    return std::make_shared<DnnlPlan>(pd,
                                      Ports{{DNNL_ARG_WORKSPACE, image_desc(index.shape(), layout, DType::kU8)},
                                            {DNNL_ARG_DIFF_DST, image_desc(dy.shape(), dy.layout())}},
                                      Ports{{DNNL_ARG_DIFF_SRC, x_desc}});
  });
  run_plan(device, *plan, what, {index.raw(), dy.raw()}, {dx.raw()});
}

}  // namespace lockstep
