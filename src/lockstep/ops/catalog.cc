// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/catalog.h"

#include "lockstep/ops/schemas.h"

namespace lockstep {

// One line per operator, sorted (tests/ops/catalog_test.cc checks the order).
void register_ops(OpCatalog& catalog) {
  catalog.add(add_schema());
  catalog.add(anchors_schema());
  catalog.add(assign_levels_schema());
  catalog.add(box_encode_schema());
  catalog.add(box_regression_loss_schema());
  catalog.add(box_regression_loss_gradient_schema());
  catalog.add(concat_predictions_schema());
  catalog.add(concat_predictions_gradient_schema());
  catalog.add(concat_rows_schema());
  catalog.add(constant_fill_schema());
  catalog.add(conv_schema());
  catalog.add(conv_data_gradient_schema());
  catalog.add(conv_weight_gradient_schema());
  catalog.add(copy_schema());
  catalog.add(dequeue_blobs_schema());
  catalog.add(detect_boxes_schema());
  catalog.add(fc_schema());
  catalog.add(fc_data_gradient_schema());
  catalog.add(fc_weight_gradient_schema());
  catalog.add(frozen_batch_norm_schema());
  catalog.add(frozen_batch_norm_gradient_schema());
  catalog.add(gaussian_fill_schema());
  catalog.add(generate_proposals_schema());
  catalog.add(group_norm_schema());
  catalog.add(group_norm_gradient_schema());
  catalog.add(max_pool_schema());
  catalog.add(max_pool_gradient_schema());
  catalog.add(msra_fill_schema());
  catalog.add(relu_schema());
  catalog.add(relu_gradient_schema());
  catalog.add(require_finite_schema());
  catalog.add(roi_align_schema());
  catalog.add(roi_align_gradient_schema());
  catalog.add(rpn_match_schema());
  catalog.add(rpn_sample_schema());
  catalog.add(sample_rois_schema());
  catalog.add(scale_schema());
  catalog.add(sigmoid_cross_entropy_loss_schema());
  catalog.add(sigmoid_cross_entropy_loss_gradient_schema());
  catalog.add(softmax_schema());
  catalog.add(softmax_cross_entropy_loss_schema());
  catalog.add(softmax_cross_entropy_loss_gradient_schema());
  catalog.add(softmax_gradient_schema());
  catalog.add(stop_gradient_schema());
  catalog.add(sum_schema());
  catalog.add(upsample_nearest_schema());
  catalog.add(upsample_nearest_gradient_schema());
  catalog.add(weighted_sum_schema());
  catalog.add(xavier_fill_schema());
}

}  // namespace lockstep
