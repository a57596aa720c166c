// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/base/error.h"

namespace lockstep {

// A piece of memory that goes to a rank or comes from it.
struct Outgoing {
  int to = 0;
  const void* data = nullptr;
  std::size_t bytes = 0;
};
struct Incoming {
  int from = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

// The processes that train together; this one is `rank()` of `size()`. All ranks make the same calls in the same order,
// one at a time, from any thread. `what` names a call in messages. A call throws kDevice when a rank is lost.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Returns when everything has been sent and received. Between two ranks, messages arrive in the order of the list.
  virtual void exchange(const std::string& what, const std::vector<Outgoing>& outgoing,
                        const std::vector<Incoming>& incoming) = 0;

  // Adds `values` over all ranks in whatever order the library takes: the bits are not the lockstep law's.
  virtual void sum_in_any_order(const std::string& what, float* values, std::int64_t count) = 0;

  // The texts of all ranks, by rank.
  std::vector<std::string> gather(const std::string& what, const std::string& text);
};

// What a group tells of lost ranks, from a thread of its own.
struct ProcessGroupCallbacks {
  // A rank is lost, and nothing can be done but to end. `pending` says what this rank was waiting for. When it
  // returns, the group ends all ranks. Empty: the group ends them without a word.
  std::function<void(const Error& cause, const std::string& pending)> on_lost;
};

// The group of an MPI job that this process was started in, as a rank of it: null when it was started alone.
// kUnsupported in a build without MPI when it was started as one of several.
std::shared_ptr<ProcessGroup> open_process_group(ProcessGroupCallbacks callbacks);

// Ends all ranks of the open group after a failure of this one, which has been reported; `exit_code` becomes the job's.
// Returns when no group is open.
void abort_process_group(int exit_code);

// "OpenMPI 4.1.4", or empty in a build without MPI.
std::string mpi_description();

}  // namespace lockstep
