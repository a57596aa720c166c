// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "lockstep/graph/arena.h"
#include "lockstep/graph/operator.h"

namespace lockstep {

// The temporaries of a net that is made: each borrows memory from the arena of the device that makes it, and returns
// it after its last user. After a run that failed, what it still held stays readable until the next run begins. Does
// nothing when the environment has no arenas. Outputs whose size is only known once they are computed keep memory of
// their own.
class BorrowedMemory {
 public:
  // `ops` are the net's operators in its order; they are told which outputs borrow.
  BorrowedMemory(const NetDef& net, const NetEnvironment& environment,
                 const std::vector<std::unique_ptr<Operator>>& ops);

  void begin_run();
  void finished(int op);  // from any thread; after the operator has run

 private:
  static void give_back(BorrowedBlob& blob);

  std::deque<BorrowedBlob> blobs_;
  std::vector<int> users_;                        // per blob
  std::vector<std::vector<BorrowedBlob*>> used_;  // per operator
};

}  // namespace lockstep
