// SPDX-License-Identifier: Apache-2.0
#include "lockstep/tensor/blobs_queue.h"
#include "ops/op_case.h"

namespace lockstep {

std::vector<OpCase> dequeue_cases() {
  std::vector<OpCase> cases;
  OpCase& one = cases.emplace_back();
  one.name = one.type = "DequeueBlobs";
  one.args = {arg("dtypes", std::vector<std::string>{"f32", "i32"}), arg("ranks", std::vector<std::int64_t>{2, 1})};
  one.inputs = tensors(Tensor());
  one.outputs = 2;
  one.setup = [](Workspace& workspace) {
    const auto queue = std::make_shared<BlobsQueue>(1);
    queue->push(tensors(Tensor::from<float>({2, 2}, {1, 2, 3, 4}), int_tensor({3}, {5, 6, 7})));
    workspace.get("x0").set_object(queue);
  };
  one.errors.push_back({"2 outputs need as many 'dtypes' and 'ranks', got 1 and 2",
                        {},
                        std::vector<Argument>{arg("dtypes", std::vector<std::string>{"f32"}),
                                              arg("ranks", std::vector<std::int64_t>{2, 1})},
                        {}});
  one.errors.push_back({"tensor 0 of the queue is f32[2,2], wanted f32 with 3 axes",
                        {},
                        std::vector<Argument>{arg("dtypes", std::vector<std::string>{"f32", "i32"}),
                                              arg("ranks", std::vector<std::int64_t>{3, 1})},
                        {}});
  one.errors.push_back({"the queue delivers 2 tensors, wanted 1; the loader and the net disagree",
                        {},
                        std::vector<Argument>{arg("dtypes", std::vector<std::string>{"f32"}),
                                              arg("ranks", std::vector<std::int64_t>{2})},
                        1});
  return cases;
}

}  // namespace lockstep
