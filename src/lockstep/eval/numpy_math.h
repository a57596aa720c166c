// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace lockstep {

// The doubles of numpy.linspace(start, stop, count), count >= 2.
std::vector<double> numpy_linspace(double start, double stop, int count);

// The double of numpy.mean over a contiguous array: pairwise summation in blocks of at most 128 values with eight
// running sums each (numpy/core/src/umath/loops_utils.h.src). -1 for no values.
double numpy_mean(const std::vector<double>& values);

}  // namespace lockstep
