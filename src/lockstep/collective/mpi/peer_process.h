// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

enum class PeerState { kRuns, kStopped, kGone, kUnknown };  // kUnknown: on another machine

// Where a rank runs, in a form that can be sent.
struct PeerProcess {
  char host[64] = {};
  std::uint64_t pid_namespace = 0;
  std::int64_t pid = 0;

  static PeerProcess self();
  std::string text() const;  // "process 4711 on node3"
  // Looked up in /proc when the rank runs on this machine, as seen by `observer`.
  PeerState state(const PeerProcess& observer) const;
};

}  // namespace lockstep
