// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/check.h"
#include "lockstep/ops/common.h"
#include "lockstep/ops/schemas.h"

namespace lockstep {

void dequeue_blobs_cpu(KernelContext& context);
void dequeue_blobs_reference(KernelContext& context);

namespace {

DType dtype_named(const std::string& name) {
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kI32, DType::kI64, DType::kU8}) {
    if (name == to_string(dtype)) return dtype;
  }
  LS_THROW(kGraph, "[DequeueBlobs] argument 'dtypes' must hold f32, f64, i32, i64 or u8, got '{}'", name);
}

}  // namespace

OpSchema dequeue_blobs_schema() {
  return OpSchema("DequeueBlobs")
      .doc(
          "Takes the next mini-batch from a queue that the loader fills, and waits while the queue is empty. The "
          "queue's "
          "being closed and empty is an error. (Caffe2's DequeueBlobs.)")
      .input("queue", "blob that holds a std::shared_ptr<BlobsQueue> (tensor/blobs_queue.h)")
      .output("outputs", "the tensors of the mini-batch, in its order")
      .variadic_outputs(1)
      .required_arg("dtypes", std::vector<std::string>{}, "type per output; f32 becomes f64 on the reference engine")
      .required_arg("ranks", std::vector<std::int64_t>{}, "number of axes per output; sizes are not known before")
      .range(0, 8)
      .layouts(LayoutRule::kOwn)
      .infer([](const InferContext& context) {
        const std::vector<std::string>& dtypes = context.args().texts("dtypes");
        const std::vector<std::int64_t>& ranks = context.args().integers("ranks");
        const auto count = static_cast<std::size_t>(context.output_count());
        LS_CHECK(kGraph, dtypes.size() == count && ranks.size() == count,
                 "[DequeueBlobs] {} outputs need as many 'dtypes' and 'ranks', got {} and {}", count, dtypes.size(),
                 ranks.size());
        std::vector<TensorInfo> outputs;
        for (std::size_t o = 0; o < count; ++o) {
          const DType dtype = dtype_named(dtypes[o]);
          outputs.push_back(
              {dtype == DType::kF32 ? context.real() : dtype, Shape(static_cast<std::size_t>(ranks[o]), -1)});
        }
        return outputs;
      })
      .no_gradient("data is an input of the step")
      .cpu(function_kernel(dequeue_blobs_cpu))
      .reference(function_kernel(dequeue_blobs_reference));
}

}  // namespace lockstep
