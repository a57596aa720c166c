// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/roi_data_loader.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"

namespace lockstep {

RoIDataLoader::RoIDataLoader(Build build, std::vector<std::string> output_names, LoaderOptions options)
    : build_(std::move(build)), output_names_(std::move(output_names)), options_(std::move(options)) {
  LS_CHECK(kConfig, options_.threads >= 1, "DATALOADER.NUM_WORKERS is {}; wanted at least 1 loader thread",
           options_.threads);
  LS_CHECK(kConfig, options_.minibatch_queue_size >= 1 && options_.blobs_queue_capacity >= 1,
           "DATALOADER.MINIBATCH_QUEUE_SIZE and DATALOADER.BLOBS_QUEUE_CAPACITY are {} and {}; wanted at least 1",
           options_.minibatch_queue_size, options_.blobs_queue_capacity);
  LS_ASSERT(!options_.workers.empty(), "a loader needs at least one worker");
  std::int64_t last = 0;
  for (std::size_t w = 0; w < options_.workers.size(); ++w) {
    const WorkerRange& range = options_.workers[w];
    LS_ASSERT(range.lo >= last && range.hi > range.lo, "worker {} of the loader has the range [{}, {}) after {}", w,
              range.lo, range.hi, last);
    for (std::int64_t index = range.lo; index < range.hi; ++index) places_.push_back({0, index, w});
    last = range.hi;
    queues_.push_back(std::make_shared<BlobsQueue>(options_.blobs_queue_capacity));
  }
}

RoIDataLoader::~RoIDataLoader() { shutdown(); }

RoIDataLoader::Place RoIDataLoader::place_of(std::int64_t number) const {
  const auto per_step = static_cast<std::int64_t>(places_.size());
  Place place = places_[static_cast<std::size_t>(number % per_step)];
  place.step = first_step_ + number / per_step;
  return place;
}

void RoIDataLoader::start(std::int64_t first_step, Prefill prefill) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  LS_ASSERT(!started_ && !stopped_, "a loader can be started once");
  LS_ASSERT(first_step < options_.end_step, "a loader that ends at step {} cannot start at {}", options_.end_step,
            first_step);
  started_ = true;
  first_step_ = first_step;
  const auto per_step = static_cast<std::int64_t>(places_.size());
  const std::int64_t most_steps = std::numeric_limits<std::int64_t>::max() / per_step;
  total_ = std::min(options_.end_step - first_step, most_steps) * per_step;
  for (int t = 0; t < options_.threads; ++t) threads_.emplace_back([this] { guard(&RoIDataLoader::run_loader); });
  threads_.emplace_back([this] { guard(&RoIDataLoader::run_distributor); });
  const auto begin = std::chrono::steady_clock::now();
  auto next_report = begin + 2s;
  while (!changed_.wait_for(lock, 50ms, [&] { return stopped_ || prefilled(prefill); })) {
    if (const auto now = std::chrono::steady_clock::now(); now >= next_report) {
      log_info("data", "filling the input queues: [{}/{}]", ready_.size(), options_.minibatch_queue_size);
      next_report = now + 2s;
    }
  }
  lock.unlock();
  rethrow_if_failed();
}

bool RoIDataLoader::prefilled(Prefill prefill) const {
  // The distributor stands still at the first full queue; then the records in order pile up before it.
  const std::int64_t coming = total_ - next_deliver_;
  const bool full =
      static_cast<std::int64_t>(ready_.size()) >= std::min<std::int64_t>(options_.minibatch_queue_size, coming);
  if (prefill == Prefill::kFull) return full;
  return full || std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue->size() > 0; });
}

void RoIDataLoader::run_loader() {
  for (;;) {
    std::int64_t number;
    {
      std::unique_lock lock(mutex_);
      const auto ahead = static_cast<std::int64_t>(options_.minibatch_queue_size);
      changed_.wait(lock, [&] { return stopped_ || next_claim_ < next_deliver_ + ahead; });
      if (stopped_ || next_claim_ == total_) return;
      number = next_claim_++;
    }
    const Place place = place_of(number);
    std::vector<Tensor> record = build_(place.step, place.index);
    LS_ASSERT(record.size() == output_names_.size(), "a micro-batch has {} tensors for {} names", record.size(),
              output_names_.size());
    {
      std::lock_guard lock(mutex_);
      ready_.emplace(number, std::move(record));
    }
    changed_.notify_all();
  }
}

void RoIDataLoader::run_distributor() {
  for (;;) {
    std::vector<Tensor> record;
    std::size_t worker = 0;
    {
      std::unique_lock lock(mutex_);
      if (next_deliver_ == total_) break;
      changed_.wait(lock, [&] { return stopped_ || (!ready_.empty() && ready_.begin()->first == next_deliver_); });
      if (stopped_) return;
      record = std::move(ready_.begin()->second);
      ready_.erase(ready_.begin());
      worker = place_of(next_deliver_++).worker;
    }
    changed_.notify_all();
    if (!queues_[worker]->push(std::move(record))) return;
    changed_.notify_all();
  }
  for (const auto& queue : queues_) queue->close();
}

void RoIDataLoader::guard(void (RoIDataLoader::*body)()) noexcept {
  // Errors leave a thread as values: an exception object shared between threads would be freed by
  // whichever lets go last, which race detectors cannot follow.
  try {
    (this->*body)();
  } catch (const Error& error) {
    stop(error);
  } catch (const std::bad_alloc&) {
    stop(Error(ErrorKind::kDevice, "out of memory in a loader thread; lower DATALOADER.MINIBATCH_QUEUE_SIZE"));
  } catch (const std::exception& error) {
    stop(Error(ErrorKind::kInternal, fmt::format("a loader thread failed: {}", error.what())));
  }
}

void RoIDataLoader::stop(std::optional<Error> error) {
  {
    std::lock_guard lock(mutex_);
    if (!stopped_ && error) error_.emplace(*error);
    stopped_ = true;
  }
  changed_.notify_all();
  for (const auto& queue : queues_) queue->close();
}

void RoIDataLoader::shutdown() {
  stop(std::nullopt);
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
  std::lock_guard lock(mutex_);
  ready_.clear();
}

bool RoIDataLoader::has_stopped() const {
  std::lock_guard lock(mutex_);
  return stopped_;
}

std::optional<Error> RoIDataLoader::first_error() const {
  std::lock_guard lock(mutex_);
  return error_;
}

void RoIDataLoader::rethrow_if_failed() const {
  if (std::optional<Error> error = first_error()) throw Error(*error);
}

std::size_t RoIDataLoader::minibatches_waiting() const {
  std::lock_guard lock(mutex_);
  return ready_.size();
}

}  // namespace lockstep
