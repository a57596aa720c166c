// SPDX-License-Identifier: Apache-2.0
// Ten thousand random nets: too slow for every run of the suite; `make stress` runs it. The environment variables
// LOCKSTEP_STRESS_SEED and LOCKSTEP_STRESS_NETS take another first seed and another number of nets.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "graph/random_nets.h"

namespace lockstep {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::stoull(text) : otherwise;
}

TEST(DagStress, RandomNetsEqualProgramOrder) {
  test::expect_dag_equals_simple(number_from("LOCKSTEP_STRESS_SEED", 1000),
                                 static_cast<int>(number_from("LOCKSTEP_STRESS_NETS", 10000)));
}

}  // namespace
}  // namespace lockstep
