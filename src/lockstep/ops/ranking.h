// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

// The indices of the `k` largest of `count` scores, best first; ties go to the lower index. A NaN ranks with +infinity,
// as in torch.topk: whoever ranks drops it afterwards. Fewer than k scores are all returned.
template <typename T>
std::vector<std::int32_t> top_k(const T* scores, std::int64_t count, std::int64_t k);

}  // namespace lockstep
