// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/golden_file.h"
#include "ops/op_checks.h"
#include "ops/run_op.h"

namespace lockstep {
namespace {

// torchvision.ops.roi_align and its gradient (tools/goldens/make_roi_align_golden.py), in every layout of the features.
TEST(RoiAlign, EqualsTorchvision) {
  const GoldenFile golden("roi_align.txt");
  const Tensor& rois = golden.tensor("rois");
  Tensor levels(DType::kI32, {rois.dim(0)});
  levels.fill_zero();
  for (const auto& [name, aligned, ratio] :
       {std::tuple{"aligned", 1, 0}, std::tuple{"unaligned", 0, 0}, std::tuple{"two_samples", 1, 2}}) {
    const std::vector<Argument> args = {arg("spatial_scales", std::vector<double>{0.25}), arg("pooled_size", 3),
                                        arg("aligned", aligned), arg("sampling_ratio", ratio), arg("min_level", 0)};
    for (const Layout layout : {Layout::kPlain, Layout::kNChw8c, Layout::kNChw16c}) {
      SCOPED_TRACE(std::string(name) + ", features " + std::string(to_string(layout)));
      Tensor features;
      convert_layout(golden.tensor("features"), layout, features);
      const auto pooled = run_op("RoIAlign", args, tensors(rois.clone(), levels.clone(), features.clone()), 1);
      expect_close(pooled[0], golden.tensor(std::string(name) + ".pooled"), 1e-5, "pooled");
      const auto gradient =
          run_op("RoIAlignGradient", args,
                 tensors(rois.clone(), levels.clone(), golden.tensor("dy").clone(), features.clone()), 1);
      expect_close(gradient[0], golden.tensor(std::string(name) + ".gradient"), 1e-5, "gradient");
    }
  }
}

}  // namespace
}  // namespace lockstep
