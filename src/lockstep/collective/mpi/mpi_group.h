// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "lockstep/collective/process_group.h"

namespace lockstep {

// A process group over MPI. One thread makes every MPI call of the process, from MPI_Init_thread to MPI_Finalize: it
// moves the messages, and every second it sends a heartbeat to all ranks and looks whether theirs still come. A rank
// that has been silent for 5 seconds, or whose process is gone, is lost: the callback is told, then MPI_Abort ends all.
class MpiGroup : public ProcessGroup {
 public:
  explicit MpiGroup(ProcessGroupCallbacks callbacks);
  ~MpiGroup() override;  // waits until all ranks have come to the end

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void exchange(const std::string& what, const std::vector<Outgoing>& outgoing,
                const std::vector<Incoming>& incoming) override;
  void sum_in_any_order(const std::string& what, float* values, std::int64_t count) override;

  [[noreturn]] void abort(int exit_code);

 private:
  class Engine;  // what the thread owns: all that speaks MPI

  // A call of another thread that the engine works on.
  struct Call {
    std::string what;
    const std::vector<Outgoing>* outgoing = nullptr;
    const std::vector<Incoming>* incoming = nullptr;
    float* values = nullptr;
    std::int64_t count = 0;
    bool done = false;
  };

  void run_call(Call& call);
  void communicate(ProcessGroupCallbacks callbacks);

  int rank_ = 0;
  int size_ = 1;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  bool started_ = false;
  Call* waiting_ = nullptr;  // for the engine to take
  bool ending_ = false;
  std::optional<int> abort_code_;
  std::optional<Error> failure_;
  std::thread thread_;
};

}  // namespace lockstep
