// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/stop_on_signal.h"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>

namespace lockstep {
namespace {

int user_handler_calls = 0;
void user_handler(int) { ++user_handler_calls; }

TEST(StopOnSignal, TheFirstSignalAsksAllThatListen) {
  for (const int signal : {SIGINT, SIGTERM}) {
    CancelToken first, second, bystander;
    const StopOnSignal a(first), b(second);
    EXPECT_EQ(StopOnSignal::received(), 0);
    std::raise(signal);
    EXPECT_TRUE(first.requested());
    EXPECT_TRUE(second.requested());
    EXPECT_FALSE(bystander.requested());
    EXPECT_EQ(StopOnSignal::received(), signal);
  }
}

TEST(StopOnSignal, WithTheLastOneTheSignalsActAsBefore) {
  const auto before = std::signal(SIGINT, user_handler);
  CancelToken token;
  {
    auto first = std::make_unique<StopOnSignal>(token);
    const StopOnSignal second(token);
    first.reset();
    std::raise(SIGINT);
    EXPECT_TRUE(token.requested());
    EXPECT_EQ(user_handler_calls, 0);
  }
  std::raise(SIGINT);
  EXPECT_EQ(user_handler_calls, 1);
  std::signal(SIGINT, before);
}

TEST(StopOnSignalDeathTest, TheSecondSignalEndsTheProcess) {
  for (const auto& [signal, code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    EXPECT_EXIT(
        {
          CancelToken token;
          const StopOnSignal stop(token);
          std::raise(SIGINT);
          std::raise(signal);
        },
        ::testing::ExitedWithCode(code), "stopped at once by a second signal");
  }
}

}  // namespace
}  // namespace lockstep
