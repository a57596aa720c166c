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

}  // namespace lockstep
