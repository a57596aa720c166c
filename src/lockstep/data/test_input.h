// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/data/image.h"
#include "lockstep/data/normalize.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

struct TestInputOptions {
  int min_size = 800;   // INPUT.MIN_SIZE_TEST; 0 keeps the size
  int max_size = 1333;  // INPUT.MAX_SIZE_TEST
  NormalizeOptions normalize;
  int size_divisibility = 32;
};

// One picture as the test net takes it; the tensors are as in minibatch.h with n = 1.
struct TestInput {
  Tensor data;
  Tensor im_info;
  ImageSize original;  // of the picture given: detections are scaled back to it
};

TestInput make_test_input(const Image& image, const TestInputOptions& options);

}  // namespace lockstep
