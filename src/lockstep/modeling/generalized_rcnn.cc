// SPDX-License-Identifier: Apache-2.0
#include "lockstep/modeling/generalized_rcnn.h"

#include "lockstep/modeling/fpn.h"
#include "lockstep/modeling/rpn.h"

namespace lockstep {

Losses add_generalized_rcnn_training(Model& model, const Config& config, double loss_scale) {
  const Batch batch = batch_blobs(model);
  Losses losses;
  const Features features = add_resnet_fpn(model, config, batch.data);
  const std::string proposals = add_rpn(model, config, features, batch, loss_scale, losses);
  add_box_head_losses(model, config, features, proposals, batch, loss_scale, losses);
  return losses;
}

Detections add_generalized_rcnn_test(Model& model, const Config& config) {
  const Batch batch = batch_blobs(model);
  Losses none;
  const Features features = add_resnet_fpn(model, config, batch.data);
  const std::string proposals = add_rpn(model, config, features, batch, 1.0, none);
  return add_box_head_detections(model, config, features, proposals, batch);
}

}  // namespace lockstep
