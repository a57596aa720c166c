// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/loader_stages.h"

#include <algorithm>

namespace lockstep {

std::string_view to_string(LoaderStage stage) {
  constexpr std::array<std::string_view, kLoaderStages> kNames = {"read",     "decode", "resize",
                                                                  "assemble", "queue",  "dequeue"};
  return kNames[static_cast<std::size_t>(stage)];
}

void StageClock::add(LoaderStage stage, Clock::time_point begin, Clock::time_point end) {
  const auto seconds = [](Clock::duration duration) { return std::chrono::duration<double>(duration).count(); };
  std::lock_guard lock(mutex_);
  Total& total = totals_[static_cast<std::size_t>(stage)];
  total.seconds += seconds(end - begin);
  ++total.calls;
  if (!keep_events_) return;
  const auto known = std::find(threads_.begin(), threads_.end(), std::this_thread::get_id());
  const auto thread = static_cast<int>(known - threads_.begin());
  if (known == threads_.end()) threads_.push_back(std::this_thread::get_id());
  events_.push_back({stage, thread, seconds(begin - start_), seconds(end - start_)});
}

StageClock::Totals StageClock::totals() const {
  std::lock_guard lock(mutex_);
  return totals_;
}

std::vector<StageClock::Event> StageClock::events() const {
  std::lock_guard lock(mutex_);
  return events_;
}

}  // namespace lockstep
