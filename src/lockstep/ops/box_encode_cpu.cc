// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/kernel.h"
#include "lockstep/ops/boxes.h"

namespace lockstep {
namespace {

template <typename T>
void box_encode(KernelContext& context) {
  const Tensor& boxes = context.input(0);
  const std::int64_t columns = boxes.dim(1);
  const std::int64_t count = boxes.dim(0);
  const BoxWeights<T> weights = box_weights<T>(context.args().numbers("weights"));
  const T* truth = context.input(1).data<T>();
  T* deltas = context.output(0).data<T>();
  for (std::int64_t row = 0; row < context.input(1).dim(0); ++row) {
    const Box<T> box = load_box(boxes.data<T>() + (row % count) * columns + (columns - 4));
    store_box(encode_box(box, load_box(truth + 4 * row), weights), deltas + 4 * row);
  }
}

}  // namespace

void box_encode_cpu(KernelContext& context) { box_encode<float>(context); }
void box_encode_reference(KernelContext& context) { box_encode<double>(context); }

}  // namespace lockstep
