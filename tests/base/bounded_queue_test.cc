// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/bounded_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TEST(BoundedQueue, KeepsOrder) {
  BoundedQueue<int> queue(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(i));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.pop(), i);
}

TEST(BoundedQueue, CloseReleasesAWaitingProducerAndDropsItsItem) {
  BoundedQueue<int> queue(1);
  queue.push(1);
  bool accepted = true;
  std::thread producer([&] { accepted = queue.push(2); });
  std::this_thread::sleep_for(10ms);
  queue.close();
  producer.join();
  EXPECT_FALSE(accepted);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, CloseReleasesAWaitingConsumer) {
  BoundedQueue<int> queue(1);
  std::thread consumer([&] { EXPECT_EQ(queue.pop(), std::nullopt); });
  std::this_thread::sleep_for(10ms);
  queue.close();
  consumer.join();
}

TEST(BoundedQueue, PopForGivesUpAfterItsTimeout) {
  BoundedQueue<int> queue(1);
  EXPECT_EQ(queue.pop_for(5ms), std::nullopt);
}

TEST(BoundedQueue, TellsOfEachItemTaken) {
  BoundedQueue<int> queue(3);
  std::vector<int> taken;
  queue.set_on_take([&](const int& item) { taken.push_back(item + 10 * static_cast<int>(queue.size())); });
  for (int i = 1; i <= 3; ++i) queue.push(i);
  queue.pop();
  queue.pop_for(1ms);
  EXPECT_EQ(taken, (std::vector<int>{21, 12}));
  queue.close();
  queue.pop();
  queue.pop();
  EXPECT_EQ(taken, (std::vector<int>{21, 12, 3}));
}

TEST(BoundedQueue, CountsWaitingConsumers) {
  BoundedQueue<int> queue(1);
  EXPECT_EQ(queue.consumers_waiting(), 0);
  std::thread first([&] { queue.pop(); }), second([&] { queue.pop(); });
  while (queue.consumers_waiting() < 2) std::this_thread::yield();
  queue.close();
  first.join();
  second.join();
  EXPECT_EQ(queue.consumers_waiting(), 0);
}

TEST(BoundedQueue, ManyProducersAndConsumersLoseNothing) {
  for (const int capacity : {1, 2, 5}) {
    for (const int threads : {1, 3, 10}) {
      BoundedQueue<int> queue(static_cast<std::size_t>(capacity));
      std::atomic<long> sum = 0;
      std::vector<std::thread> producers, consumers;
      for (int t = 0; t < threads; ++t) {
        producers.emplace_back([&, t] {
          for (int i = 0; i < 100; ++i) queue.push(t * 100 + i);
        });
        consumers.emplace_back([&] {
          while (auto item = queue.pop()) sum += *item;
        });
      }
      for (auto& producer : producers) producer.join();
      queue.close();
      for (auto& consumer : consumers) consumer.join();
      const long count = threads * 100L;
      EXPECT_EQ(sum, count * (count - 1) / 2);
    }
  }
}

}  // namespace
}  // namespace lockstep
