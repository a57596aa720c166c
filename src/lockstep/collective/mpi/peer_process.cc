// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/mpi/peer_process.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace lockstep {

PeerProcess PeerProcess::self() {
  PeerProcess process;
  ::gethostname(process.host, sizeof process.host - 1);
  struct stat entry {};
  if (::stat("/proc/self/ns/pid", &entry) == 0) process.pid_namespace = entry.st_ino;
  process.pid = ::getpid();
  return process;
}

std::string PeerProcess::text() const { return fmt::format("process {} on {}", pid, host); }

PeerState PeerProcess::state(const PeerProcess& observer) const {
  if (std::strcmp(host, observer.host) != 0 || pid_namespace != observer.pid_namespace || pid_namespace == 0) {
    return PeerState::kUnknown;
  }
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return PeerState::kGone;
  // "pid (name) S ...": the name may hold anything, so the state follows the last bracket.
  const std::size_t bracket = line.rfind(')');
  if (bracket == std::string::npos || bracket + 2 >= line.size()) return PeerState::kUnknown;
  switch (line[bracket + 2]) {
    case 'Z':
    case 'X': return PeerState::kGone;
    case 'T':
    case 't': return PeerState::kStopped;
    default: return PeerState::kRuns;
  }
}

}  // namespace lockstep
