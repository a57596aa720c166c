// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "lockstep/graph/net.pb.h"

namespace lockstep::test {

// What seed `seed` draws: a net over one to four devices whose operators share few blobs, so that every kind of edge is
// frequent: chains in place, one blob read by many and then overwritten, sums of many blobs, accumulation into one blob
// from several devices, overwriting without reading, control inputs, operators that fail when told to, or a small
// network with its gradient operators. The same seed draws the same net everywhere.
struct RandomNet {
  NetDef net;
  int devices = 1;
  std::int64_t size = 5;  // elements of every blob; where it is large, the nets of dag borrow their memory from arenas
  int fuses = 0;          // blobs fuse0, fuse1, ...: a positive value makes their operator fail
};
RandomNet random_net(std::uint64_t seed);

// Draws the nets of the seeds first_seed to first_seed + count - 1 and runs each by the executors simple and dag, with
// one to three lanes per device, own and shared ones, undisturbed and with random pauses after operators: first with
// fuses that blow, which must give the same error, then twice without. Fails the test at the first blob that differs in
// a bit, printing the seed and the net.
void expect_dag_equals_simple(std::uint64_t first_seed, int count);

}  // namespace lockstep::test
