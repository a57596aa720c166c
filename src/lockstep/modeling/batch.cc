// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/batch.h"

namespace lockstep {

Batch batch_blobs(const Model& model) {
  return {.data = model.scoped("data"),
          .im_info = model.scoped("im_info"),
          .gt_boxes = model.scoped("gt_boxes"),
          .gt_classes = model.scoped("gt_classes"),
          .gt_crowd = model.scoped("gt_crowd"),
          .gt_counts = model.scoped("gt_counts"),
          .sample_ids = model.scoped("sample_ids")};
}

const std::vector<BatchBlob>& batch_layout() {
  static const std::vector<BatchBlob> layout = {
      {"data", "f32", 4},     {"im_info", "f32", 2},   {"gt_boxes", "f32", 2},  {"gt_classes", "i32", 1},
      {"gt_crowd", "i32", 1}, {"gt_counts", "i32", 1}, {"sample_ids", "i64", 1}};
  return layout;
}

}  // namespace lockstep
