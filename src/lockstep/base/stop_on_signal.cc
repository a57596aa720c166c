// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/stop_on_signal.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

std::array<std::atomic<CancelToken*>, StopOnSignal::kMost> tokens{};
std::atomic<int> first_signal = 0;
static_assert(std::atomic<CancelToken*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::mutex mutex;  // of making and ending; the handler takes none
std::size_t living = 0;
struct sigaction interrupt_before, terminate_before;

extern "C" void on_stop_signal(int signal) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) {
    constexpr char kText[] =
        "\nlockstep: stopped at once by a second signal; steps since the last checkpoint are lost\n";
    static_cast<void>(!::write(STDERR_FILENO, kText, sizeof kText - 1));  // nobody may listen any more
    _exit(128 + signal);
  }
  for (std::atomic<CancelToken*>& token : tokens) {
    if (CancelToken* const asked = token.load()) asked->request();
  }
}

void install() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before);
  sigaction(SIGTERM, &action, &terminate_before);
}

}  // namespace

StopOnSignal::StopOnSignal(CancelToken& token) {
  std::lock_guard lock(mutex);
  const auto free = std::find_if(tokens.begin(), tokens.end(), [](const auto& slot) { return slot == nullptr; });
  LS_ASSERT(free != tokens.end(), "more than {} listen for signals", kMost);
  slot_ = static_cast<std::size_t>(free - tokens.begin());
  *free = &token;
  if (living++ > 0) return;
  first_signal = 0;
  install();
}

StopOnSignal::~StopOnSignal() {
  std::lock_guard lock(mutex);
  if (--living == 0) {
    sigaction(SIGINT, &interrupt_before, nullptr);
    sigaction(SIGTERM, &terminate_before, nullptr);
  }
  tokens[slot_] = nullptr;
}

int StopOnSignal::received() { return first_signal; }

}  // namespace lockstep
