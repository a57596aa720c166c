// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace lockstep {

// Calls body(i) for every i below `count` on all cores that the process may use. The order is free, so bodies write to
// places of their own. The error of the lowest i is rethrown after all threads have ended.
void parallel_for(std::size_t count, const std::function<void(std::size_t i)>& body);

}  // namespace lockstep
