// SPDX-License-Identifier: Apache-2.0
// TEST.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_test_keys(KeyTableBuilder& t) {
  t.section("TEST", "Evaluation.");
  LS_KEY(t, test.eval_period, "Time between evaluations during training; 0 evaluates only at the end.").at_least(0);
  LS_KEY(t, test.detections_per_image, "Best detections kept per image.").at_least(1);
  LS_KEY(t, test.expected_results, "Results that Detectron2's own tests compare with.").no_effect();
  LS_KEY(t, test.keypoint_oks_sigmas, "Tolerance of each key point.").no_effect();
  LS_KEY(t, test.aug.enabled, "Test-time augmentation.").only({false});
  LS_KEY(t, test.aug.min_sizes, "Sizes of the augmented images.").no_effect();
  LS_KEY(t, test.aug.max_size, "Largest length of their longer edge.").no_effect();
  LS_KEY(t, test.aug.flip, "Flipped copies too.").no_effect();
  LS_KEY(t, test.precise_bn.enabled, "Recomputes batch statistics before evaluation.").only({false});
  LS_KEY(t, test.precise_bn.num_iter, "Iterations of that.").no_effect();
}

}  // namespace lockstep
