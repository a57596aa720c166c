// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/test_input.h"

#include <algorithm>

#include "lockstep/data/resize.h"

namespace lockstep {

TestInput make_test_input(const Image& image, const TestInputOptions& options) {
  const ImageSize original{image.width, image.height};
  const ImageSize size = shortest_edge_size(original, options.min_size, options.max_size);
  const int height = round_up(size.height, options.size_divisibility);
  const int width = round_up(size.width, options.size_divisibility);
  const float scale = static_cast<float>(std::min(size.width, size.height)) /
                      static_cast<float>(std::min(original.width, original.height));
  TestInput input{Tensor(DType::kF32, {1, 3, height, width}),
                  Tensor::from<float>({1, 3}, {static_cast<float>(size.height), static_cast<float>(size.width), scale}),
                  original};
  normalize_image(resize_image(image, size), options.normalize, height, width, input.data.data<float>());
  return input;
}

}  // namespace lockstep
