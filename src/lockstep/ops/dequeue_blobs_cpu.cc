// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/graph/kernel.h"
#include "lockstep/tensor/blobs_queue.h"

namespace lockstep {
namespace {

std::vector<Tensor> next_batch(KernelContext& context) {
  const std::shared_ptr<BlobsQueue> queue = context.input_blob(0).object<BlobsQueue>();
  LS_CHECK(kGraph, queue != nullptr, "input 'queue' holds no queue; the loader has to be attached before the net runs");
  std::optional<std::vector<Tensor>> batch = queue->pop();
  LS_CHECK(kData, batch.has_value(), "the data queue was closed");
  const OpArgs& args = context.args();
  LS_CHECK(kGraph, static_cast<int>(batch->size()) == context.output_count(),
           "the queue delivers {} tensors, wanted {}; the loader and the net disagree", batch->size(),
           context.output_count());
  for (std::size_t o = 0; o < batch->size(); ++o) {
    const Tensor& tensor = (*batch)[o];
    LS_CHECK(kGraph, to_string(tensor.dtype()) == args.texts("dtypes")[o] && tensor.rank() == args.integers("ranks")[o],
             "tensor {} of the queue is {}, wanted {} with {} axes; the loader and the net disagree", o,
             tensor.describe(), args.texts("dtypes")[o], args.integers("ranks")[o]);
  }
  return std::move(*batch);
}

}  // namespace

void dequeue_blobs_cpu(KernelContext& context) {
  std::vector<Tensor> batch = next_batch(context);
  for (std::size_t o = 0; o < batch.size(); ++o) context.output(static_cast<int>(o)) = std::move(batch[o]);
}

void dequeue_blobs_reference(KernelContext& context) {
  std::vector<Tensor> batch = next_batch(context);
  for (std::size_t o = 0; o < batch.size(); ++o) {
    const bool real = batch[o].dtype() == DType::kF32;
    context.output(static_cast<int>(o)) = real ? convert_dtype(batch[o], DType::kF64) : std::move(batch[o]);
  }
}

}  // namespace lockstep
