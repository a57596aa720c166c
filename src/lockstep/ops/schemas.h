// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/schema.h"

namespace lockstep {

// The declarations of this room's operators; each stands in the file of its operator (ops/relu.cc).
// One line per operator, sorted.
OpSchema add_schema();
OpSchema anchors_schema();
OpSchema assign_levels_schema();
OpSchema box_encode_schema();
OpSchema box_regression_loss_schema();
OpSchema box_regression_loss_gradient_schema();
OpSchema concat_predictions_schema();
OpSchema concat_predictions_gradient_schema();
OpSchema concat_rows_schema();
OpSchema constant_fill_schema();
OpSchema conv_schema();
OpSchema conv_data_gradient_schema();
OpSchema conv_weight_gradient_schema();
OpSchema copy_schema();
OpSchema dequeue_blobs_schema();
OpSchema detect_boxes_schema();
OpSchema fc_schema();
OpSchema fc_data_gradient_schema();
OpSchema fc_weight_gradient_schema();
OpSchema frozen_batch_norm_schema();
OpSchema frozen_batch_norm_gradient_schema();
OpSchema gaussian_fill_schema();
OpSchema generate_proposals_schema();
OpSchema group_norm_schema();
OpSchema group_norm_gradient_schema();
OpSchema max_pool_schema();
OpSchema max_pool_gradient_schema();
OpSchema msra_fill_schema();
OpSchema relu_schema();
OpSchema relu_gradient_schema();
OpSchema require_finite_schema();
OpSchema roi_align_schema();
OpSchema roi_align_gradient_schema();
OpSchema rpn_match_schema();
OpSchema rpn_sample_schema();
OpSchema sample_rois_schema();
OpSchema scale_schema();
OpSchema sigmoid_cross_entropy_loss_schema();
OpSchema sigmoid_cross_entropy_loss_gradient_schema();
OpSchema softmax_schema();
OpSchema softmax_cross_entropy_loss_schema();
OpSchema softmax_cross_entropy_loss_gradient_schema();
OpSchema softmax_gradient_schema();
OpSchema stop_gradient_schema();
OpSchema sum_schema();
OpSchema upsample_nearest_schema();
OpSchema upsample_nearest_gradient_schema();
OpSchema weighted_sum_schema();
OpSchema xavier_fill_schema();

}  // namespace lockstep
