// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/lane_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace lockstep {
namespace {

TEST(LanePool, ALaneRunsItsTasksInOrderOnOneThread) {
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  {
    LanePool pool(2);
    for (int i = 0; i < 50; ++i) {
      pool.run(1, [&, i] {
        order.push_back(i);
        threads.push_back(std::this_thread::get_id());
      });
    }
  }
  ASSERT_EQ(order.size(), 50u);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(order[i], i);
    EXPECT_EQ(threads[i], threads[0]);
  }
}

TEST(LanePool, StartHookRunsInEveryThread) {
  std::atomic<int> started = 0;
  {
    LanePool pool(3, [&](int) { ++started; });
  }
  EXPECT_EQ(started, 3);
}

}  // namespace
}  // namespace lockstep
