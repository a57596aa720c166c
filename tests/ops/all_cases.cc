// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {

// One line per file of cases, sorted; twice: the declaration and the call.
std::vector<OpCase> add_cases();
std::vector<OpCase> collective_cases();
std::vector<OpCase> conv_cases();
std::vector<OpCase> copy_cases();
std::vector<OpCase> dense_head_cases();
std::vector<OpCase> dequeue_cases();
std::vector<OpCase> fc_cases();
std::vector<OpCase> fill_cases();
std::vector<OpCase> loss_cases();
std::vector<OpCase> max_pool_cases();
std::vector<OpCase> norm_cases();
std::vector<OpCase> relu_cases();
std::vector<OpCase> require_finite_cases();
std::vector<OpCase> roi_align_cases();
std::vector<OpCase> roi_cases();
std::vector<OpCase> rpn_cases();
std::vector<OpCase> scale_cases();
std::vector<OpCase> update_cases();
std::vector<OpCase> upsample_cases();

const std::vector<OpCase>& all_cases() {
  static const std::vector<OpCase> cases = [] {
    std::vector<OpCase> all;
    const auto add = [&all](std::vector<OpCase> some) {
      for (OpCase& one : some) all.push_back(std::move(one));
    };
    add(add_cases());
    add(collective_cases());
    add(conv_cases());
    add(copy_cases());
    add(dense_head_cases());
    add(dequeue_cases());
    add(fc_cases());
    add(fill_cases());
    add(loss_cases());
    add(max_pool_cases());
    add(norm_cases());
    add(relu_cases());
    add(require_finite_cases());
    add(roi_align_cases());
    add(roi_cases());
    add(rpn_cases());
    add(scale_cases());
    add(update_cases());
    add(upsample_cases());
    return all;
  }();
  return cases;
}

}  // namespace lockstep
