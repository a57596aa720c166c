// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/backend/cpu/dnnl_plan.h"
#include "lockstep/base/check.h"

namespace lockstep {

void reorder(CpuDevice& device, const Tensor& from, Layout layout, Tensor& to) {
  LS_ASSERT(&from != &to, "reorder cannot work in place");
  if (from.size() == 0 || from.layout() == layout || from.dtype() != DType::kF32) {
    return convert_layout(from, layout, to);
  }
  to.resize(DType::kF32, from.shape(), layout);
  PrimitiveKey key = plan_key(PlanKind::kReorder, device);
  append(key, from.shape());
  append(key, from.layout());
  append(key, layout);
  const auto what = [&] { return fmt::format("layout conversion of {} to {}", from.describe(), to_string(layout)); };
  const auto plan = find_plan(device, key, what, [&] {
    const dnnl::memory::desc source = image_desc(from.shape(), from.layout());
    const dnnl::memory::desc target = image_desc(from.shape(), layout);
    const dnnl::reorder::primitive_desc pd(cpu_engine(), source, cpu_engine(), target, user_scratchpad());
    return std::make_shared<DnnlPlan>(pd, std::vector<DnnlPlan::Port>{{DNNL_ARG_FROM, source}},
                                      std::vector<DnnlPlan::Port>{{DNNL_ARG_TO, target}});
  });
  run_plan(device, *plan, what, {from.raw()}, {to.raw()});
}

}  // namespace lockstep
