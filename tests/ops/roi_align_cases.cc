// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "ops/op_case.h"

namespace lockstep {
namespace {

// Large, small, thin, at the border, outside, empty and reversed regions of a 96 x 128 image.
Tensor regions() {
  return real_tensor({9, 5}, {0, 10.3, 8.2,  90.7,  70.9,   //
                              1, 3.1,  2.7,  5.2,   4.4,    //
                              0, -9.3, -7.1, 20.2,  15.8,   //
                              1, 99.7, 60.1, 140.3, 110.9,  //
                              1, 50.2, 10.6, 52.1,  90.3,   //
                              0, 300,  200,  340,   260,    //
                              0, 20.5, 20.5, 20.5,  20.5,   //
                              1, 60.4, 50.3, 40.1,  30.2,   //
                              1, 0.2,  0.4,  127.3, 95.1});
}

Tensor region_levels() { return int_tensor({9}, {3, 2, 2, 3, 2, 3, 2, 2, 3}); }

OpCase roi_case(const std::string& name, std::int64_t channels, std::vector<Argument> args) {
  OpCase one;
  one.name = name;
  one.type = "RoIAlign";
  one.args = std::move(args);
  one.args.push_back(arg("spatial_scales", std::vector<double>{0.25, 0.125}));
  one.inputs = tensors(regions(), region_levels(), random_tensor({2, channels, 24, 32}, 61),
                       random_tensor({2, channels, 12, 16}, 62));
  one.differentiable = {2, 3};
  return one;
}

}  // namespace

std::vector<OpCase> roi_align_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back(roi_case("RoIAlign_adaptive", 19, {arg("pooled_size", 3)}));
    const auto with = [](Tensor rois, Tensor levels, std::int64_t channels = 19) {
      return tensors(std::move(rois), std::move(levels), random_tensor({2, channels, 24, 32}, 61),
                     random_tensor({2, 19, 12, 16}, 62));
    };
    one.variants.push_back(with(Tensor(DType::kF64, {0, 5}), int_tensor({0}, {})));
    one.errors.push_back({"RoI 0 is for level 4; there are 2..3",
                          with(real_tensor({1, 5}, {0, 1, 1, 9, 9}), int_tensor({1}, {4})),
                          {},
                          {}});
    one.errors.push_back({"RoI 1 is for image 2 of 2",
                          with(real_tensor({2, 5}, {0, 1, 1, 9, 9, 2, 1, 1, 9, 9}), int_tensor({2}, {2, 2})),
                          {},
                          {}});
    one.errors.push_back(
        {"RoI 0 is (0, 1, nan, 9, 9): not finite",
         with(real_tensor({1, 5}, {0, 1, std::numeric_limits<double>::quiet_NaN(), 9, 9}), int_tensor({1}, {2})),
         {},
         {}});
    one.errors.push_back({"input 'levels' must have size 1 on axis 0 (one level per row of rois)",
                          with(real_tensor({1, 5}, {0, 1, 1, 9, 9}), int_tensor({2}, {2, 2})),
                          {},
                          {}});
    one.errors.push_back(
        {"input 'features[1]' must have size 18 on axis 1", with(regions(), region_levels(), 18), {}, {}});
    one.errors.push_back({"2 feature maps with 1 spatial_scales",
                          {},
                          std::vector<Argument>{arg("spatial_scales", std::vector<double>{0.25})},
                          {}});
  }
  cases.push_back(roi_case("RoIAlign_two_samples", 8, {arg("pooled_size", 2), arg("sampling_ratio", 2)}));
  cases.push_back(roi_case("RoIAlign_unaligned", 5, {arg("pooled_size", 4), arg("aligned", 0)}));
  return cases;
}

}  // namespace lockstep
