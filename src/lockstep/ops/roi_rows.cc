// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/roi_rows.h"

#include "lockstep/base/check.h"

namespace lockstep {

std::vector<std::int64_t> roi_begins(const Tensor& rois, std::int64_t images) {
  std::vector<std::int64_t> begins = {0};
  for (std::int64_t p = 0; p < rois.dim(0); ++p) {
    const double image = rois.dtype() == DType::kF64 ? rois.data<double>()[5 * p] : rois.data<float>()[5 * p];
    LS_CHECK(kShape, image >= 0 && image < static_cast<double>(images),
             "row {} of the rois is for image {}; wanted an image below {}", p, image, images);
    const auto number = static_cast<std::size_t>(image);
    LS_CHECK(kShape, number + 1 >= begins.size(),
             "row {} of the rois is for image {} after rows of image {}; wanted the images in order", p, number,
             begins.size() - 1);
    while (begins.size() <= number) begins.push_back(p);
  }
  while (begins.size() <= static_cast<std::size_t>(images)) begins.push_back(rois.dim(0));
  return begins;
}

}  // namespace lockstep
