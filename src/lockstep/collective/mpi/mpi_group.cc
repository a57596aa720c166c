// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/mpi/mpi_group.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>

#include "lockstep/base/check.h"
#include "lockstep/collective/launched_ranks.h"
#include "lockstep/collective/mpi/peer_process.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kBeatPeriod = 1s;
constexpr auto kBeatLimit = 5s;
constexpr auto kLookPeriod = 100ms;  // at the processes of this machine
constexpr auto kIdlePause = 20ms;    // between looks for heartbeats while nothing is to be sent
constexpr auto kBusyPause = 50us;    // between looks for messages once the first ones brought nothing
constexpr int kBusyLooks = 200;
constexpr auto kFarewell = 50ms;  // from "this rank fails" to its end, for the others to hear of it
constexpr int kDataTag = 1;
constexpr int kBeatTag = 2;
constexpr std::size_t kLargestMessage = std::size_t{1} << 30;  // MPI counts in int
constexpr int kLostExitCode = 3;                               // of ErrorKind::kDevice
constexpr unsigned kAbortSeconds = 3;                          // for MPI_Abort, before this process ends by itself

enum Beat : int { kAlive = 0, kLeaving = 1, kFailing = 2 };

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  LS_THROW(kDevice, "{} failed: {}", call, text);
}

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

}  // namespace

// All that speaks MPI; lives on the communication thread.
class MpiGroup::Engine {
 public:
  Engine() {
    int provided = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    LS_CHECK(kUnsupported, provided >= MPI_THREAD_SERIALIZED,
             "this MPI library cannot be called from a thread of its own (MPI_THREAD_SERIALIZED)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (MPI_Comm* communicator : {&data_, &beats_}) {
      check(MPI_Comm_dup(MPI_COMM_WORLD, communicator), "MPI_Comm_dup");
      MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_RETURN);
    }
    MPI_Comm_rank(data_, &rank);
    MPI_Comm_size(data_, &size);
    peers_.resize(static_cast<std::size_t>(size));
    const PeerProcess self = PeerProcess::self();
    std::vector<PeerProcess> all(static_cast<std::size_t>(size));
    check(MPI_Allgather(&self, sizeof self, MPI_BYTE, all.data(), sizeof self, MPI_BYTE, data_), "MPI_Allgather");
    for (int r = 0; r < size; ++r) {
      Peer& one = peer(r);
      one.process = all[static_cast<std::size_t>(r)];
      one.heard = Clock::now();
      if (r != rank) listen(r);
    }
  }

  // Only after everyone has said kLeaving.
  void finalize() {
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      MPI_Wait(&peer(r).sending, MPI_STATUS_IGNORE);
      MPI_Cancel(&peer(r).receiving);
      MPI_Wait(&peer(r).receiving, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&data_);
    MPI_Comm_free(&beats_);
    MPI_Finalize();
  }

  void start(const Call& call) {
    requests_.clear();
    waits_.clear();
    if (call.values != nullptr) {
      MPI_Request& request = requests_.emplace_back();
      waits_.push_back(-1);
      LS_CHECK(kUnsupported, call.count <= (std::int64_t{1} << 30), "{}: {} values are too many for one call",
               call.what, call.count);
      check(
          MPI_Iallreduce(MPI_IN_PLACE, call.values, static_cast<int>(call.count), MPI_FLOAT, MPI_SUM, data_, &request),
          "MPI_Iallreduce");
      return;
    }
    for (const Incoming& one : *call.incoming) {
      for_parts(one.bytes, [&](std::size_t at, int bytes) {
        MPI_Request& request = requests_.emplace_back();
        waits_.push_back(one.from);
        check(MPI_Irecv(static_cast<char*>(one.data) + at, bytes, MPI_BYTE, one.from, kDataTag, data_, &request),
              "MPI_Irecv");
      });
    }
    for (const Outgoing& one : *call.outgoing) {
      for_parts(one.bytes, [&](std::size_t at, int bytes) {
        MPI_Request& request = requests_.emplace_back();
        waits_.push_back(one.to);
        check(MPI_Isend(static_cast<const char*>(one.data) + at, bytes, MPI_BYTE, one.to, kDataTag, data_, &request),
              "MPI_Isend");
      });
    }
  }

  bool finished() {
    int all = 0;
    std::vector<MPI_Status> statuses(requests_.size());
    const int code = MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, statuses.data());
    check(code, "MPI_Testall");
    return all != 0;
  }

  // The ranks whose messages have not come or not been taken.
  std::string waiting_for() {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] != MPI_REQUEST_NULL) ranks.push_back(waits_[i]);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.empty() || ranks[0] < 0) return "all ranks";
    return fmt::format("rank{} {}", ranks.size() > 1 ? "s" : "", fmt::join(ranks, ", "));
  }

  void beat(Beat what) {
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      Peer& one = peer(r);
      int sent = 1;
      MPI_Test(&one.sending, &sent, MPI_STATUS_IGNORE);
      // A rank that takes no more messages must not pile them up; what matters is said again and again.
      if (sent == 0) continue;
      one.to_send = what;
      check(MPI_Isend(&one.to_send, 1, MPI_INT, r, kBeatTag, beats_, &one.sending), "MPI_Isend");
    }
  }

  // Takes the heartbeats that have come.
  void hear() {
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      Peer& one = peer(r);
      int came = 0;
      check(MPI_Test(&one.receiving, &came, MPI_STATUS_IGNORE), "MPI_Test");
      while (came != 0) {
        one.heard = Clock::now();
        if (one.received == kLeaving) one.leaving = true;
        if (one.received == kFailing) one.failing = true;
        listen(r);
        check(MPI_Test(&one.receiving, &came, MPI_STATUS_IGNORE), "MPI_Test");
      }
    }
  }

  // Says that this rank ends the job, so that the others do not take its end for the cause.
  void farewell() {
    try {
      beat(kFailing);
      std::this_thread::sleep_for(kFarewell);
      hear();
    } catch (const Error&) {  // the job ends either way
    }
  }

  // Gives every rank its time anew.
  void forgive_silence() {
    for (Peer& one : peers_) one.heard = Clock::now();
  }

  // Why the job cannot go on, if it cannot. `look` also asks the system about the processes of this machine.
  std::optional<Error> lost_rank(bool look) {
    for (int r = 0; r < size; ++r) {
      const Peer& one = peer(r);
      // One that fails has said why, and ends the job; one that leaves has done its part.
      if (r == rank || one.leaving || one.failing) continue;
      const double silent = seconds_since(one.heard);
      const bool overdue = Clock::now() - one.heard > kBeatLimit;
      if (!look && !overdue) continue;
      const PeerState state = one.process.state(peer(rank).process);
      if (state == PeerState::kGone) {
        return Error(ErrorKind::kDevice, fmt::format("rank {} is lost: {} is gone (killed, or it crashed); go on from "
                                                     "the last checkpoint with --resume",
                                                     r, one.process.text()));
      }
      if (!overdue) continue;
      return Error(
          ErrorKind::kDevice,
          fmt::format("rank {} is lost: {} {} and gave no sign for {:.1f} s; go on from the last checkpoint "
                      "with --resume",
                      r, one.process.text(),
                      state == PeerState::kStopped ? "is stopped (SIGSTOP)" : "hangs or cannot be reached", silent));
    }
    return std::nullopt;
  }

  bool all_leave() const {
    for (int r = 0; r < size; ++r) {
      if (r != rank && !peers_[static_cast<std::size_t>(r)].leaving) return false;
    }
    return true;
  }
  bool some_rank_fails() {
    try {
      hear();
    } catch (const Error&) {  // the job ends either way
    }
    return std::any_of(peers_.begin(), peers_.end(), [](const Peer& one) { return one.failing; });
  }

  [[noreturn]] void abort(int exit_code) {
    // Nothing may keep this process: not the launcher's being gone either.
    std::signal(SIGALRM, SIG_DFL);
    ::alarm(kAbortSeconds);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    ::_exit(exit_code);
  }

  int rank = 0;
  int size = 1;

 private:
  struct Peer {
    PeerProcess process;
    Clock::time_point heard;
    MPI_Request receiving = MPI_REQUEST_NULL;
    MPI_Request sending = MPI_REQUEST_NULL;
    int received = kAlive;
    int to_send = kAlive;
    bool leaving = false;
    bool failing = false;
  };

  Peer& peer(int r) { return peers_[static_cast<std::size_t>(r)]; }
  void listen(int r) {
    check(MPI_Irecv(&peer(r).received, 1, MPI_INT, r, kBeatTag, beats_, &peer(r).receiving), "MPI_Irecv");
  }
  template <typename Body>
  static void for_parts(std::size_t bytes, const Body& body) {
    for (std::size_t at = 0; at < bytes; at += kLargestMessage) {
      body(at, static_cast<int>(std::min(kLargestMessage, bytes - at)));
    }
  }

  MPI_Comm data_ = MPI_COMM_NULL;
  MPI_Comm beats_ = MPI_COMM_NULL;
  std::vector<Peer> peers_;
  std::vector<MPI_Request> requests_;
  std::vector<int> waits_;  // the rank of each request
};

MpiGroup::MpiGroup(ProcessGroupCallbacks callbacks) {
  thread_ = std::thread([this, callbacks = std::move(callbacks)] { communicate(callbacks); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return started_ || failure_; });
  if (!failure_) return;
  const Error failure = *failure_;
  lock.unlock();
  thread_.join();
  throw Error(failure);
}

MpiGroup::~MpiGroup() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void MpiGroup::exchange(const std::string& what, const std::vector<Outgoing>& outgoing,
                        const std::vector<Incoming>& incoming) {
  Call call;
  call.what = what;
  call.outgoing = &outgoing;
  call.incoming = &incoming;
  run_call(call);
}

void MpiGroup::sum_in_any_order(const std::string& what, float* values, std::int64_t count) {
  Call call;
  call.what = what;
  call.values = values;
  call.count = count;
  run_call(call);
}

void MpiGroup::run_call(Call& call) {
  std::unique_lock lock(mutex_);
  LS_ASSERT(waiting_ == nullptr, "two calls of one process group at once");
  if (!failure_) {
    waiting_ = &call;
    changed_.notify_all();
    changed_.wait(lock, [&] { return call.done || failure_; });
    waiting_ = nullptr;
  }
  if (failure_) throw Error(*failure_);
}

void MpiGroup::abort(int exit_code) {
  {
    std::lock_guard lock(mutex_);
    abort_code_ = exit_code;
  }
  changed_.notify_all();
  std::this_thread::sleep_for(std::chrono::seconds(2 * kAbortSeconds));
  ::_exit(exit_code);
}

void MpiGroup::communicate(ProcessGroupCallbacks callbacks) {
  std::optional<Engine> engine;
  const auto fail = [&](const Error& cause) {
    std::lock_guard lock(mutex_);
    failure_ = cause;
    changed_.notify_all();
  };
  try {
    engine.emplace();
  } catch (const Error& error) {
    fail(error);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    rank_ = engine->rank;
    size_ = engine->size;
    started_ = true;
    changed_.notify_all();
  }

  std::string pending;
  try {
    Call* call = nullptr;
    Clock::time_point call_start, next_beat = Clock::now(), next_look = Clock::now(), last_round = Clock::now();
    int looks = 0;
    while (true) {
      bool ending = false;
      std::optional<int> abort_code;
      {
        std::unique_lock lock(mutex_);
        if (call == nullptr) {
          changed_.wait_for(lock, kIdlePause, [&] { return waiting_ != nullptr || abort_code_; });
          if (waiting_ != nullptr && !waiting_->done) call = waiting_;
          if (call != nullptr) {
            call_start = Clock::now();
            looks = 0;
          }
        }
        ending = ending_;
        abort_code = abort_code_;
      }
      if (abort_code) {
        engine->farewell();
        engine->abort(*abort_code);
      }
      if (call != nullptr && looks == 0) engine->start(*call);
      if (call != nullptr) {
        if (engine->finished()) {
          std::lock_guard lock(mutex_);
          call->done = true;
          waiting_ = nullptr;
          call = nullptr;
          pending.clear();
          changed_.notify_all();
        } else if (++looks > kBusyLooks) {
          std::this_thread::sleep_for(kBusyPause);
        } else {
          std::this_thread::yield();
        }
      }
      const auto now = Clock::now();
      // This process was stopped or starved itself, and has not listened: the others' silence tells nothing.
      if (now - last_round > kBeatPeriod) engine->forgive_silence();
      last_round = now;
      if (now >= next_beat) {
        engine->beat(ending ? kLeaving : kAlive);
        next_beat = now + kBeatPeriod;
      }
      if (now < next_look && call != nullptr) continue;
      engine->hear();
      if (ending && engine->all_leave()) {
        engine->beat(kLeaving);
        engine->finalize();
        return;
      }
      if (ending) next_beat = std::min(next_beat, now + kLookPeriod);
      const bool look = now >= next_look;
      if (look) next_look = now + kLookPeriod;
      if (call != nullptr) {
        pending = fmt::format("rank {} waits in {} for {} since {:.1f} s", rank_, call->what, engine->waiting_for(),
                              seconds_since(call_start));
      }
      if (std::optional<Error> lost = engine->lost_rank(look)) throw Error(*lost);
    }
  } catch (const Error& error) {
    if (pending.empty()) pending = fmt::format("rank {} waits for no other rank", rank_);
    // Asked before this rank says the same, so that of two at least one speaks.
    const bool is_said = engine->some_rank_fails();
    const Error cause = engine->lost_rank(true).value_or(error);  // rather than the library's words on a lost rank
    engine->farewell();
    if (callbacks.on_lost && !is_said) callbacks.on_lost(cause, pending);
    // Not fail(): nothing shall be reported after the cause.
    engine->abort(kLostExitCode);
  }
}

namespace {
std::weak_ptr<MpiGroup> open_group;  // for abort_process_group
std::mutex open_group_mutex;
}  // namespace

std::shared_ptr<ProcessGroup> open_process_group(ProcessGroupCallbacks callbacks) {
  if (launched_ranks() < 1) return nullptr;
  auto group = std::make_shared<MpiGroup>(std::move(callbacks));
  std::lock_guard lock(open_group_mutex);
  open_group = group;
  return group;
}

void abort_process_group(int exit_code) {
  std::shared_ptr<MpiGroup> group;
  {
    std::lock_guard lock(open_group_mutex);
    group = open_group.lock();
  }
  if (group) group->abort(exit_code);
}

std::string mpi_description() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find(','));
}

}  // namespace lockstep
