// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

// One all-reduce to be timed.
struct AllReduceTrial {
  std::string collective = "lockstep";  // as SOLVER.COLLECTIVE
  int workers = 2;                      // W, in this process
  std::int64_t bytes = 0;               // message of each worker, a multiple of 4
  int repeats = 5;
};

struct AllReduceTime {
  double seconds = 0;         // of one all-reduce, median
  double memcpy_seconds = 0;  // to read and write W messages by memcpy with the same threads, median
  // How close the all-reduce comes to what memory allows: it has to read and write every message once.
  double fraction_of_memcpy() const { return seconds > 0 ? memcpy_seconds / seconds : 0; }
};

// Times the operators that a step of `workers` workers would run, on their lanes. As the gradients of a step are many
// blobs whose all-reduces take turns on the devices, the message is cut into equal blobs that all devices have the
// same number of. Every repeat alternates with a memcpy of as many bytes, cut and run in the same way. kInternal when a
// single sum is wrong on any worker.
AllReduceTime measure_all_reduce(const AllReduceTrial& trial);

}  // namespace lockstep
