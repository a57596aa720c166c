// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/roi_data_loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "data/data_test_util.h"
#include "lockstep/base/check.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// Micro-batches that say who they are; the time to build one varies, so threads overtake each other.
std::vector<Tensor> numbered(std::int64_t step, std::int64_t index) {
  std::this_thread::sleep_for(std::chrono::microseconds((step * 7 + index * 13) % 5 * 200));
  std::vector<Tensor> record;
  record.push_back(Tensor::from<std::int64_t>({2}, {step, index}));
  return record;
}

LoaderOptions options_for(int threads, std::vector<WorkerRange> workers = {{0, 3}, {3, 5}}) {
  LoaderOptions options;
  options.workers = std::move(workers);
  options.threads = threads;
  options.minibatch_queue_size = 4;
  options.blobs_queue_capacity = 2;
  return options;
}

using Place = std::pair<std::int64_t, std::int64_t>;

// What each worker gets in `steps` steps, read by one thread per worker.
std::vector<std::vector<Place>> streams(int threads, std::int64_t first_step, int steps) {
  RoIDataLoader loader(numbered, {"place"}, options_for(threads));
  loader.start(first_step, Prefill::kOne);
  std::vector<std::vector<Place>> result(2);
  std::vector<std::thread> workers;
  for (std::size_t w = 0; w < 2; ++w) {
    workers.emplace_back([&, w] {
      for (int i = 0; i < steps * (w == 0 ? 3 : 2); ++i) {
        const std::optional<std::vector<Tensor>> record = loader.queue(w)->pop();
        if (!record) return;
        const std::int64_t* place = record->at(0).data<std::int64_t>();
        result[w].emplace_back(place[0], place[1]);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  loader.shutdown();
  loader.rethrow_if_failed();
  return result;
}

TEST(RoIDataLoader, DeliversInGlobalOrderForAnyNumberOfThreads) {
  std::vector<std::vector<Place>> expected(2);
  for (std::int64_t step = 0; step < 20; ++step) {
    for (std::int64_t index = 0; index < 5; ++index) expected[index < 3 ? 0 : 1].emplace_back(step, index);
  }
  for (const int threads : {1, 2, 5}) EXPECT_EQ(streams(threads, 0, 20), expected) << threads << " threads";
}

TEST(RoIDataLoader, StartingAtAStepEqualsSkipping) {
  std::vector<std::vector<Place>> from_start = streams(2, 0, 12);
  from_start[0].erase(from_start[0].begin(), from_start[0].begin() + 3 * 7);
  from_start[1].erase(from_start[1].begin(), from_start[1].begin() + 2 * 7);
  EXPECT_EQ(streams(3, 7, 5), from_start);
}

TEST(RoIDataLoader, ReadsNothingBehindTheLastStepAndThenEnds) {
  for (const Prefill prefill : {Prefill::kOne, Prefill::kFull}) {
    LoaderOptions options = options_for(3);
    options.minibatch_queue_size = 64;  // more than there is to come
    options.blobs_queue_capacity = 64;
    options.end_step = 7;
    RoIDataLoader loader(
        [](std::int64_t step, std::int64_t index) {
          LS_CHECK(kIo, step < 7, "picture of step {} is missing", step);
          return numbered(step, index);
        },
        {"place"}, options);
    loader.start(4, prefill);
    for (std::size_t w = 0; w < 2; ++w) {
      int records = 0;
      while (loader.queue(w)->pop()) ++records;
      EXPECT_EQ(records, w == 0 ? 9 : 6);
    }
    EXPECT_FALSE(loader.first_error());
  }
}

TEST(RoIDataLoader, OneThreadMayReadAllWorkersInTurn) {
  RoIDataLoader loader(numbered, {"place"}, options_for(2));
  loader.start(0, Prefill::kFull);
  EXPECT_GE(loader.minibatches_waiting(), 4u);
  for (std::int64_t step = 0; step < 5; ++step) {
    for (std::int64_t index = 0; index < 5; ++index) {
      const auto record = loader.queue(index < 3 ? 0 : 1)->pop_for(5s);
      ASSERT_TRUE(record);
      EXPECT_EQ(record->at(0).data<std::int64_t>()[1], index);
    }
  }
}

TEST(RoIDataLoader, TheFirstErrorReachesEveryConsumerWithinASecond) {
  for (const int threads : {1, 4}) {
    RoIDataLoader loader(
        [](std::int64_t step, std::int64_t index) {
          LS_CHECK(kIo, step < 2, "cannot read picture {}", step * 5 + index);
          return numbered(step, index);
        },
        {"place"}, options_for(threads));
    loader.start(0, Prefill::kOne);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (std::size_t w = 0; w < 2; ++w) {
      workers.emplace_back([&, w] {
        while (loader.queue(w)->pop()) {
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
    EXPECT_TRUE(loader.has_stopped());
    EXPECT_THAT(error_of(ErrorKind::kIo, [&] { loader.rethrow_if_failed(); }), HasSubstr("cannot read picture"));
  }
}

TEST(RoIDataLoader, AnErrorDuringPrefillIsThrownByStart) {
  RoIDataLoader loader([](std::int64_t, std::int64_t) -> std::vector<Tensor> { throw std::runtime_error("boom"); },
                       {"place"}, options_for(2));
  EXPECT_THAT(error_of(ErrorKind::kInternal, [&] { loader.start(0, Prefill::kFull); }),
              HasSubstr("a loader thread failed: boom"));
}

TEST(RoIDataLoader, ARecordOfAnotherSizeIsAnError) {
  RoIDataLoader loader(numbered, {"a", "b"}, options_for(1));
  EXPECT_THAT(error_of(ErrorKind::kInternal, [&] { loader.start(0, Prefill::kOne); }),
              HasSubstr("1 tensors for 2 names"));
}

TEST(RoIDataLoader, ShutdownReleasesABlockedConsumerAndIsIdempotent) {
  std::atomic<bool> slow = false;
  RoIDataLoader loader(
      [&](std::int64_t step, std::int64_t index) {
        if (slow) std::this_thread::sleep_for(300ms);
        return numbered(step, index);
      },
      {"place"}, options_for(2));
  loader.start(0, Prefill::kOne);
  slow = true;
  std::thread consumer([&] {
    while (loader.queue(0)->pop()) {
    }
  });
  std::this_thread::sleep_for(50ms);
  loader.shutdown();
  consumer.join();
  loader.shutdown();
  EXPECT_TRUE(loader.has_stopped());
  EXPECT_FALSE(loader.first_error());
  EXPECT_NO_THROW(loader.rethrow_if_failed());
}

TEST(RoIDataLoader, MeasuresTheWaitForAnEmptyQueue) {
  std::atomic<int> built = 0;
  RoIDataLoader loader(
      [&](std::int64_t step, std::int64_t index) {
        if (built++ > 0) std::this_thread::sleep_for(30ms);
        return numbered(step, index);
      },
      {"place"}, options_for(1, {{0, 1}}));
  loader.start(0, Prefill::kOne);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(loader.queue(0)->pop());
  EXPECT_GT(loader.empty_wait_seconds(0), 0.05);
}

TEST(RoIDataLoader, TwoLoadersLiveSideBySide) {
  const auto make = [](std::int64_t size) {
    return [size](std::int64_t, std::int64_t) {
      std::vector<Tensor> record;
      record.emplace_back(DType::kF32, Shape{2, size, size});
      return record;
    };
  };
  RoIDataLoader three(make(3), {"data"}, options_for(2, {{0, 1}, {1, 2}}));
  RoIDataLoader four(make(4), {"data"}, options_for(2, {{0, 1}, {1, 2}}));
  three.start(0, Prefill::kOne);
  four.start(0, Prefill::kOne);
  for (int round = 0; round < 5; ++round) {
    for (std::size_t w = 0; w < 2; ++w) {
      EXPECT_EQ(three.queue(w)->pop()->at(0).shape(), (Shape{2, 3, 3}));
      EXPECT_EQ(four.queue(w)->pop()->at(0).shape(), (Shape{2, 4, 4}));
    }
  }
}

TEST(RoIDataLoader, RefusesZeroThreads) {
  EXPECT_THAT(error_of(ErrorKind::kConfig, [] { RoIDataLoader(numbered, {"place"}, options_for(0)); }),
              HasSubstr("DATALOADER.NUM_WORKERS is 0"));
}

}  // namespace
}  // namespace lockstep
