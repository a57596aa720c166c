// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep::test {

// Runs `count` random nets with the executors dag and simple, over three devices, and fails the test at the first blob
// that differs, printing the net.
void expect_dag_equals_simple(int count, std::uint32_t seed);

}  // namespace lockstep::test
