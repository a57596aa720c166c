// SPDX-License-Identifier: Apache-2.0
// Ten thousand random nets: too slow for every run of the suite; `make stress` runs it.
#include <gtest/gtest.h>

#include "graph/random_nets.h"

namespace lockstep {
namespace {

TEST(DagStress, TenThousandRandomNetsEqualProgramOrder) { test::expect_dag_equals_simple(10000, 11); }

}  // namespace
}  // namespace lockstep
