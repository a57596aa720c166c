// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/schema.h"

namespace lockstep {

// The declarations of this room's operators; each stands in the file of its operator (ops/relu.cc).
// One line per operator, sorted.
OpSchema anchors_schema();
OpSchema assign_levels_schema();
OpSchema box_encode_schema();
OpSchema concat_predictions_schema();
OpSchema concat_predictions_gradient_schema();
OpSchema concat_rows_schema();
OpSchema detect_boxes_schema();
OpSchema generate_proposals_schema();
OpSchema relu_schema();
OpSchema relu_gradient_schema();
OpSchema require_finite_schema();
OpSchema rpn_match_schema();
OpSchema rpn_sample_schema();
OpSchema sample_rois_schema();
OpSchema scale_schema();

}  // namespace lockstep
