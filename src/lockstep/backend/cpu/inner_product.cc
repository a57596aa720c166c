// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/backend/cpu/dnnl_plan.h"
#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// Sizes of y[M,N] = x[M,K] w[N,K]^T + bias[N]. Every operand is fixed at row-major: oneDNN would choose
// another weight layout for another row count, and the weights would be reordered for every batch of regions.
struct InnerProduct {
  std::int64_t m, n, k;

  InnerProduct(const Shape& x, const Shape& w) {
    LS_ASSERT(x.size() >= 2 && w.size() == 2, "inner product of x{} with w{}", to_string(x), to_string(w));
    m = x[0];
    n = w[0];
    k = element_count(Shape(x.begin() + 1, x.end()));
    LS_ASSERT(k == w[1], "inner product of x{} with w{}", to_string(x), to_string(w));
  }

  bool empty() const { return m == 0 || n == 0 || k == 0; }
  dnnl::memory::desc x() const { return plain_desc({m, k}); }
  dnnl::memory::desc w() const { return plain_desc({n, k}); }
  dnnl::memory::desc b() const { return plain_desc({n}); }
  dnnl::memory::desc y() const { return plain_desc({m, n}); }

  dnnl::inner_product_forward::primitive_desc forward() const {
    const dnnl::inner_product_forward::desc desc(dnnl::prop_kind::forward_training, x(), w(), b(), y());
    return {desc, user_scratchpad(), cpu_engine()};
  }

  PrimitiveKey key(PlanKind kind, const CpuDevice& device) const {
    PrimitiveKey key = plan_key(kind, device);
    key.insert(key.end(), {m, n, k});
    return key;
  }

  std::string describe(const char* what) const { return fmt::format("{} [{},{}] x [{},{}]", what, m, k, n, k); }
};

using Ports = std::vector<DnnlPlan::Port>;

using Plan = std::shared_ptr<const DnnlPlan>;

Plan forward_plan(CpuDevice& device, const InnerProduct& product) {
  return find_plan(
      device, product.key(PlanKind::kInnerProductForward, device), [&] { return product.describe("inner product"); },
      [&] {
        const Ports inputs = {
            {DNNL_ARG_SRC, product.x()}, {DNNL_ARG_WEIGHTS, product.w()}, {DNNL_ARG_BIAS, product.b()}};
        return std::make_shared<DnnlPlan>(product.forward(), inputs, Ports{{DNNL_ARG_DST, product.y()}});
      });
}

constexpr char kDataGradient[] = "data gradient of the inner product";

Plan backward_data_plan(CpuDevice& device, const InnerProduct& product) {
  return find_plan(
      device, product.key(PlanKind::kInnerProductData, device), [&] { return product.describe(kDataGradient); },
      [&] {
        const dnnl::inner_product_backward_data::desc desc(product.x(), product.w(), product.y());
        const dnnl::inner_product_backward_data::primitive_desc pd(desc, user_scratchpad(), cpu_engine(),
                                                                   product.forward());
        const Ports inputs = {{DNNL_ARG_DIFF_DST, product.y()}, {DNNL_ARG_WEIGHTS, product.w()}};
        return std::make_shared<DnnlPlan>(pd, inputs, Ports{{DNNL_ARG_DIFF_SRC, product.x()}});
      });
}

constexpr char kWeightGradient[] = "weight gradient of the inner product";

Plan backward_weights_plan(CpuDevice& device, const InnerProduct& product) {
  return find_plan(
      device, product.key(PlanKind::kInnerProductWeights, device), [&] { return product.describe(kWeightGradient); },
      [&] {
        const dnnl::inner_product_backward_weights::desc desc(product.x(), product.w(), product.b(), product.y());
        const dnnl::inner_product_backward_weights::primitive_desc pd(desc, user_scratchpad(), cpu_engine(),
                                                                      product.forward());
        const Ports inputs = {{DNNL_ARG_SRC, product.x()}, {DNNL_ARG_DIFF_DST, product.y()}};
        const Ports outputs = {{DNNL_ARG_DIFF_WEIGHTS, product.w()}, {DNNL_ARG_DIFF_BIAS, product.b()}};
        return std::make_shared<DnnlPlan>(pd, inputs, outputs);
      });
}

}  // namespace

void inner_product_forward(CpuDevice& device, const Tensor& x, const Tensor& w, const Tensor& bias, Tensor& y) {
  const InnerProduct product(x.shape(), w.shape());
  y.resize(DType::kF32, {product.m, product.n});
  if (product.empty()) {  // without inputs the bias is all there is
    for (std::int64_t row = 0; row < product.m; ++row) {
      std::copy_n(bias.data<float>(), product.n, y.data<float>() + row * product.n);
    }
    return;
  }
  const auto what = [&] { return product.describe("inner product"); };
  run_plan(device, *forward_plan(device, product), what, {x.raw(), w.raw(), bias.raw()}, {y.raw()});
}

void inner_product_backward_data(CpuDevice& device, const Shape& x_shape, const Tensor& w, const Tensor& dy,
                                 Tensor& dx) {
  const InnerProduct product(x_shape, w.shape());
  dx.resize(DType::kF32, x_shape);
  if (product.empty()) return dx.fill_zero();
  const auto what = [&] { return product.describe(kDataGradient); };
  run_plan(device, *backward_data_plan(device, product), what, {dy.raw(), w.raw()}, {dx.raw()});
}

void inner_product_backward_weights(CpuDevice& device, const Tensor& x, const Tensor& dy, Tensor& dw, Tensor& dbias) {
  const std::int64_t k = element_count(Shape(x.shape().begin() + 1, x.shape().end()));
  const InnerProduct product(x.shape(), {dy.dim(1), k});
  dw.resize(DType::kF32, {product.n, product.k});
  dbias.resize(DType::kF32, {product.n});
  if (product.empty()) {
    dw.fill_zero();
    dbias.fill_zero();
    return;
  }
  const auto what = [&] { return product.describe(kWeightGradient); };
  run_plan(device, *backward_weights_plan(device, product), what, {x.raw(), dy.raw()}, {dw.raw(), dbias.raw()});
}

DnnlReport report_inner_product(CpuDevice& device, InnerProductPass pass, const Shape& x, const Shape& w) {
  const InnerProduct product(x, w);
  if (product.empty()) return {"none: empty", Layout::kPlain, {}, {}};
  switch (pass) {
    case InnerProductPass::kForward: return forward_plan(device, product)->report();
    case InnerProductPass::kBackwardData: return backward_data_plan(device, product)->report();
    case InnerProductPass::kBackwardWeights: return backward_weights_plan(device, product)->report();
  }
  return {};
}

}  // namespace lockstep
