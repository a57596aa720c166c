// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/borrowed_memory.h"

#include <algorithm>

#include "lockstep/graph/liveness.h"

namespace lockstep {

BorrowedMemory::BorrowedMemory(const NetDef& net, const NetEnvironment& environment,
                               const std::vector<std::unique_ptr<Operator>>& ops) {
  if (environment.arenas.empty()) return;
  used_.resize(ops.size());
  const auto arena_of = [&](const Operator& op) {
    const auto at = std::find(environment.devices.begin(), environment.devices.end(), &op.device());
    return environment.arenas[static_cast<std::size_t>(at - environment.devices.begin())];
  };
  for (const Temporary& temporary : find_temporaries(net)) {
    const Operator& maker = *ops[static_cast<std::size_t>(temporary.users.front())];
    BorrowedBlob& blob = blobs_.emplace_back();
    blob.blob = &environment.workspace->get(temporary.name);
    blob.arena = arena_of(maker);
    users_.push_back(static_cast<int>(temporary.users.size()));
    for (const int user : temporary.users) used_[static_cast<std::size_t>(user)].push_back(&blob);
  }
  for (std::size_t k = 0; k < ops.size(); ++k) ops[k]->share_memory(*arena_of(*ops[k]), used_[k]);
}

void BorrowedMemory::begin_run() {
  for (std::size_t b = 0; b < blobs_.size(); ++b) {
    blobs_[b].users_left.store(users_[b], std::memory_order_relaxed);
    give_back(blobs_[b]);  // what a run that failed still held
  }
}

void BorrowedMemory::give_back(BorrowedBlob& blob) {
  if (!blob.borrowed) return;
  blob.borrowed = false;
  blob.arena->give(std::move(blob.blob->tensor()));
}

void BorrowedMemory::finished(int op) {
  if (used_.empty()) return;
  for (BorrowedBlob* blob : used_[static_cast<std::size_t>(op)]) {
    if (blob->users_left.fetch_sub(1, std::memory_order_acq_rel) == 1) give_back(*blob);
  }
}

}  // namespace lockstep
