// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/catalog.h"

#include "lockstep/ops/schemas.h"

namespace lockstep {

// One line per operator, sorted (tests/ops/catalog_test.cc checks the order).
void register_ops(OpCatalog& catalog) {
  catalog.add(anchors_schema());
  catalog.add(assign_levels_schema());
  catalog.add(box_encode_schema());
  catalog.add(concat_predictions_schema());
  catalog.add(concat_predictions_gradient_schema());
  catalog.add(concat_rows_schema());
  catalog.add(detect_boxes_schema());
  catalog.add(generate_proposals_schema());
  catalog.add(relu_schema());
  catalog.add(relu_gradient_schema());
  catalog.add(require_finite_schema());
  catalog.add(rpn_match_schema());
  catalog.add(rpn_sample_schema());
  catalog.add(sample_rois_schema());
  catalog.add(scale_schema());
}

}  // namespace lockstep
