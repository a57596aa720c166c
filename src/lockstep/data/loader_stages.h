// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace lockstep {

// What the loader's threads do: the way of a picture from its file to a worker. kQueue is a loader thread's waiting
// for space, kDequeue a worker's waiting for data.
enum class LoaderStage { kRead, kDecode, kResize, kAssemble, kQueue, kDequeue };
inline constexpr int kLoaderStages = 6;
inline constexpr LoaderStage kLoaderThreadStages[] = {LoaderStage::kRead, LoaderStage::kDecode, LoaderStage::kResize,
                                                      LoaderStage::kAssemble, LoaderStage::kQueue};
std::string_view to_string(LoaderStage stage);

// Time and number of calls of each stage, summed over threads. Thread-safe.
class StageClock {
 public:
  using Clock = std::chrono::steady_clock;
  struct Total {
    double seconds = 0;
    std::int64_t calls = 0;
  };
  using Totals = std::array<Total, kLoaderStages>;
  // One call, in seconds since the clock was made; threads are numbered in the order in which they came.
  struct Event {
    LoaderStage stage;
    int thread;
    double begin, end;
  };

  // Keeps the calls one by one too, for a trace: about 32 bytes each.
  explicit StageClock(bool keep_events = false) : start_(Clock::now()), keep_events_(keep_events) {}

  void add(LoaderStage stage, Clock::time_point begin, Clock::time_point end);
  Totals totals() const;
  std::vector<Event> events() const;

 private:
  const Clock::time_point start_;
  const bool keep_events_;
  mutable std::mutex mutex_;
  Totals totals_{};
  std::vector<Event> events_;
  std::vector<std::thread::id> threads_;
};

// Times its own life; without a clock it does nothing.
class StageTimer {
 public:
  StageTimer(StageClock* clock, LoaderStage stage) : clock_(clock), stage_(stage) {
    if (clock_ != nullptr) begin_ = StageClock::Clock::now();
  }
  ~StageTimer() {
    if (clock_ != nullptr) clock_->add(stage_, begin_, StageClock::Clock::now());
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  StageClock* const clock_;
  const LoaderStage stage_;
  StageClock::Clock::time_point begin_;
};

}  // namespace lockstep
