// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace lockstep::app {
namespace {

std::atomic<CancelToken*> token_to_stop = nullptr;
std::atomic<int> first_signal = 0;
static_assert(std::atomic<CancelToken*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int signal) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) {
    constexpr char kText[] =
        "\nlockstep: stopped at once by a second signal; steps since the last checkpoint are lost\n";
    static_cast<void>(!::write(STDERR_FILENO, kText, sizeof kText - 1));  // nobody may listen any more
    _exit(128 + signal);
  }
  if (CancelToken* token = token_to_stop.load()) token->request();
}

void install(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

StopOnSignal::StopOnSignal(CancelToken& token) {
  first_signal = 0;
  token_to_stop = &token;
  install(on_signal);
}

StopOnSignal::~StopOnSignal() {
  install(SIG_DFL);
  token_to_stop = nullptr;
}

int StopOnSignal::received() { return first_signal; }

}  // namespace lockstep::app
