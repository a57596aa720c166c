// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/roi_data_loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <limits>
#include <thread>

#include "data/data_test_util.h"
#include "lockstep/base/check.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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

const std::vector<RecordField> kPlace = {{"place", DType::kI64, 1}};  // what numbered() gives

using Place = std::pair<std::int64_t, std::int64_t>;

// What each worker gets in `steps` steps, read by one thread per worker.
std::vector<std::vector<Place>> streams(int threads, std::int64_t first_step, int steps) {
  RoIDataLoader loader(numbered, kPlace, options_for(threads));
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
        kPlace, options);
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
  RoIDataLoader loader(numbered, kPlace, options_for(2));
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
        kPlace, options_for(threads));
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
                       kPlace, options_for(2));
  EXPECT_THAT(error_of(ErrorKind::kInternal, [&] { loader.start(0, Prefill::kFull); }),
              HasSubstr("a loader thread failed: boom"));
}

TEST(RoIDataLoader, ARecordOfAnotherSizeIsAnError) {
  RoIDataLoader loader(numbered, {kPlace[0], kPlace[0]}, options_for(1));
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
      kPlace, options_for(2));
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
      kPlace, options_for(1, {{0, 1}}));
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
  const std::vector<RecordField> kData = {{"data", DType::kF32, 3}};
  RoIDataLoader three(make(3), kData, options_for(2, {{0, 1}, {1, 2}}));
  RoIDataLoader four(make(4), kData, options_for(2, {{0, 1}, {1, 2}}));
  three.start(0, Prefill::kOne);
  four.start(0, Prefill::kOne);
  for (int round = 0; round < 5; ++round) {
    for (std::size_t w = 0; w < 2; ++w) {
      EXPECT_EQ(three.queue(w)->pop()->at(0).shape(), (Shape{2, 3, 3}));
      EXPECT_EQ(four.queue(w)->pop()->at(0).shape(), (Shape{2, 4, 4}));
    }
  }
}

// Positions are numbers, so a loader that goes on late in a long run builds what its queues hold and nothing else.
TEST(RoIDataLoader, StartsAtAnyStepWithoutTouchingTheStepsBefore) {
  constexpr std::int64_t kLate = std::int64_t{1} << 40;
  std::atomic<std::int64_t> earliest = std::numeric_limits<std::int64_t>::max(), built = 0;
  RoIDataLoader loader(
      [&](std::int64_t step, std::int64_t index) {
        ++built;
        if (step < earliest) earliest = step;
        return numbered(0, index);
      },
      kPlace, options_for(1));
  loader.start(kLate, Prefill::kOne);
  loader.shutdown();
  EXPECT_EQ(earliest, kLate);
  EXPECT_LE(built, 5 + 4 + 1);  // until the second worker has its first, and what may wait and be in work behind it
}

// Records of 800 bytes.
std::vector<Tensor> hundred_numbers(std::int64_t, std::int64_t) {
  std::vector<Tensor> record;
  record.emplace_back(DType::kI64, Shape{100});
  return record;
}

TEST(RoIDataLoader, ItsByteBudgetBoundsWhatWaits) {
  for (const int threads : {1, 3}) {
    LoaderOptions options = options_for(threads, {{0, 1}, {1, 2}});
    options.minibatch_queue_size = 64;
    options.blobs_queue_capacity = 64;
    options.end_step = 100;
    options.queue_bytes = 4000;
    RoIDataLoader loader(hundred_numbers, kPlace, options);
    loader.start(0, Prefill::kFull);
    EXPECT_EQ(loader.bytes_waiting(), 4000);
    for (int step = 0; step < 100; ++step) {
      for (std::size_t w = 0; w < 2; ++w) {
        ASSERT_TRUE(loader.queue(w)->pop());
        EXPECT_LE(loader.bytes_waiting(), 4000);
      }
    }
    EXPECT_EQ(loader.bytes_waiting(), 0);
  }
}

// Worker 1's first micro-batch comes after three of worker 0.
TEST(RoIDataLoader, ABudgetThatIsTooSmallNeverStopsIt) {
  for (const int threads : {1, 3}) {
    LoaderOptions options = options_for(threads, {{0, 3}, {3, 4}});
    options.blobs_queue_capacity = 64;
    options.end_step = 20;
    options.queue_bytes = 1;
    RoIDataLoader loader(hundred_numbers, kPlace, options);
    loader.start(0, Prefill::kFull);
    EXPECT_LE(loader.bytes_waiting(), (4 + threads) * 800);  // each thread has begun one before any told its size
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(loader.queue(1)->pop());
      for (int index = 0; index < 3; ++index) ASSERT_TRUE(loader.queue(0)->pop());
    }
  }
}

TEST(RoIDataLoader, ARecordOfAnotherTypeIsAnError) {
  RoIDataLoader loader(numbered, {{"place", DType::kF32, 1}}, options_for(1));
  EXPECT_THAT(error_of(ErrorKind::kInternal, [&] { loader.start(0, Prefill::kOne); }),
              HasSubstr("'place' of a micro-batch is i64[2], wanted f32 with 1 axes"));
}

TEST(RoIDataLoader, CancellingEndsAFullPrefill) {
  CancelToken cancel;
  LoaderOptions options = options_for(2);
  options.minibatch_queue_size = 1'000'000;
  options.blobs_queue_capacity = 1'000'000;
  options.cancel = &cancel;
  std::atomic<int> built = 0;
  RoIDataLoader loader(
      [&](std::int64_t step, std::int64_t index) {
        if (++built == 10) cancel.request();
        std::this_thread::sleep_for(1ms);
        return numbered(step, index);
      },
      kPlace, options);
  loader.start(0, Prefill::kFull);  // returns
  EXPECT_TRUE(loader.has_stopped());
  EXPECT_FALSE(loader.first_error());
  EXPECT_LT(built, 10'000);
}

TEST(RoIDataLoader, CancellingReleasesABlockedConsumerAndAFullQueue) {
  for (const bool blocked_consumer : {true, false}) {
    CancelToken cancel;
    std::atomic<bool> stand_still = false;
    LoaderOptions options = options_for(2);
    options.cancel = &cancel;
    RoIDataLoader loader(
        [&](std::int64_t step, std::int64_t index) {
          while (stand_still && !cancel.requested()) std::this_thread::sleep_for(1ms);
          return numbered(step, index);
        },
        kPlace, options);
    loader.start(0, Prefill::kFull);
    stand_still = blocked_consumer;
    std::thread consumer([&] {
      while (blocked_consumer && loader.queue(0)->pop()) {
      }
    });
    std::this_thread::sleep_for(20ms);
    cancel.request();
    consumer.join();
    while (!loader.has_stopped()) std::this_thread::sleep_for(1ms);
    loader.shutdown();
    EXPECT_FALSE(loader.first_error());
  }
}

TEST(RoIDataLoader, ASignalEndsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    RoIDataLoader loader(numbered, kPlace, options_for(2));
    loader.register_sigint_handler();
    loader.start(0, Prefill::kOne);
    std::raise(signal);
    for (std::size_t w = 0; w < 2; ++w) {
      while (loader.queue(w)->pop()) {
      }
    }
    EXPECT_TRUE(loader.has_stopped());
    EXPECT_NO_THROW(loader.rethrow_if_failed());
    loader.shutdown();
  }
}

TEST(RoIDataLoaderDeathTest, TheSecondSignalEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::atomic<bool> building = false;
        RoIDataLoader loader(
            [&](std::int64_t, std::int64_t) -> std::vector<Tensor> {
              building = true;
              for (;;) std::this_thread::sleep_for(1s);  // a disk that does not answer
            },
            kPlace, options_for(1));
        loader.register_sigint_handler();
        std::thread user([&] {
          while (!building) std::this_thread::yield();
          std::raise(SIGINT);
          std::this_thread::sleep_for(50ms);
          std::raise(SIGINT);
        });
        loader.start(0, Prefill::kOne);
        loader.shutdown();
      },
      ::testing::ExitedWithCode(130), "stopped at once by a second signal");
}

TEST(RoIDataLoader, SaysWhoStandsStill) {
  std::promise<std::string> first_line;
  const LogSink before = set_log_sink([&, said = false](LogLevel, std::string_view, std::string_view text) mutable {
    if (!std::exchange(said, true)) first_line.set_value(std::string(text));
  });
  std::atomic<bool> go = false;
  LoaderOptions options = options_for(1, {{0, 1}, {1, 2}});
  options.watch_seconds = 0.05;
  {
    RoIDataLoader loader(
        [&](std::int64_t step, std::int64_t index) {
          while (step == 3 && !go) std::this_thread::sleep_for(1ms);
          return numbered(0, index);
        },
        kPlace, options);
    loader.start(0, Prefill::kOne);
    std::thread consumer([&] {
      while (loader.queue(0)->pop()) {
      }
    });
    EXPECT_THAT(first_line.get_future().get(),
                AllOf(StartsWith("no micro-batch was delivered for "),
                      HasSubstr(" s; worker 0 waits [0/2]; worker 1 does not wait [2/2]; "
                                "loader thread 0 builds micro-batch 0 of step 3 since ")));
    go = true;
    loader.shutdown();
    consumer.join();
  }
  set_log_sink(before);
}

TEST(RoIDataLoader, RefusesZeroThreads) {
  EXPECT_THAT(error_of(ErrorKind::kConfig, [] { RoIDataLoader(numbered, kPlace, options_for(0)); }),
              HasSubstr("DATALOADER.NUM_WORKERS is 0"));
}

}  // namespace
}  // namespace lockstep
