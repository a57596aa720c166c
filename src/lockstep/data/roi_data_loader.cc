// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/roi_data_loader.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kWatchPeriod{20};  // between looks at the cancel tokens

std::string unique_queue_name() {
  static std::atomic<int> next = 0;
  return fmt::format("roi_blobs_queue_{}", next++);
}

std::int64_t bytes_of(const std::vector<Tensor>& record) {
  std::int64_t bytes = 0;
  for (const Tensor& tensor : record) bytes += static_cast<std::int64_t>(tensor.bytes());
  return bytes;
}

}  // namespace

RoIDataLoader::RoIDataLoader(Build build, std::vector<RecordField> fields, LoaderOptions options)
    : build_(std::move(build)),
      fields_(std::move(fields)),
      options_(std::move(options)),
      queue_name_(unique_queue_name()) {
  LS_CHECK(kConfig, options_.threads >= 1, "DATALOADER.NUM_WORKERS is {}; wanted at least 1 loader thread",
           options_.threads);
  LS_CHECK(kConfig, options_.minibatch_queue_size >= 1 && options_.blobs_queue_capacity >= 1,
           "DATALOADER.MINIBATCH_QUEUE_SIZE and DATALOADER.BLOBS_QUEUE_CAPACITY are {} and {}; wanted at least 1",
           options_.minibatch_queue_size, options_.blobs_queue_capacity);
  LS_CHECK(kConfig, options_.queue_bytes >= 0, "the loader's limit of bytes is {}; wanted at least 0, for no limit",
           options_.queue_bytes);
  LS_ASSERT(!options_.workers.empty(), "a loader needs at least one worker");
  std::int64_t last = 0;
  for (std::size_t w = 0; w < options_.workers.size(); ++w) {
    const WorkerRange& range = options_.workers[w];
    LS_ASSERT(range.lo >= last && range.hi > range.lo, "worker {} of the loader has the range [{}, {}) after {}", w,
              range.lo, range.hi, last);
    for (std::int64_t index = range.lo; index < range.hi; ++index) places_.push_back({0, index, w});
    last = range.hi;
    queues_.push_back(std::make_shared<BlobsQueue>(options_.blobs_queue_capacity));
    queues_.back()->set_on_take([shared = shared_](const std::vector<Tensor>& record) {
      {
        std::lock_guard lock(shared->mutex);
        shared->bytes -= bytes_of(record);
      }
      shared->changed.notify_all();
    });
  }
}

RoIDataLoader::~RoIDataLoader() { shutdown(); }

std::vector<std::string> RoIDataLoader::get_output_names() const {
  std::vector<std::string> names;
  for (const RecordField& field : fields_) names.push_back(field.name);
  return names;
}

RoIDataLoader::Place RoIDataLoader::place_of(std::int64_t number) const {
  const auto per_step = static_cast<std::int64_t>(places_.size());
  Place place = places_[static_cast<std::size_t>(number % per_step)];
  place.step = first_step_ + number / per_step;
  return place;
}

void RoIDataLoader::register_sigint_handler() {
  LS_ASSERT(!started_ && !handler_, "the signal handler is registered once, before the loader starts");
  handler_ = std::make_unique<StopOnSignal>(signalled_);
}

void RoIDataLoader::start(std::int64_t first_step, Prefill prefill) {
  using namespace std::chrono_literals;
  std::unique_lock lock(shared_->mutex);
  LS_ASSERT(!started_ && !stopped_, "a loader can be started once");
  LS_ASSERT(first_step < options_.end_step, "a loader that ends at step {} cannot start at {}", options_.end_step,
            first_step);
  started_ = true;
  first_step_ = first_step;
  const auto per_step = static_cast<std::int64_t>(places_.size());
  const std::int64_t most_steps = std::numeric_limits<std::int64_t>::max() / per_step;
  total_ = std::min(options_.end_step - first_step, most_steps) * per_step;
  busy_.resize(static_cast<std::size_t>(options_.threads));
  last_delivery_ = Clock::now();
  for (std::size_t t = 0; t < busy_.size(); ++t) {
    threads_.emplace_back([this, t] { guard([&] { run_loader(t); }); });
  }
  threads_.emplace_back([this] { guard([&] { run_distributor(); }); });
  threads_.emplace_back([this] { guard([&] { run_watch(); }); });
  auto next_report = Clock::now() + 2s;
  while (!shared_->changed.wait_for(lock, 50ms, [&] { return stopped_ || prefilled(prefill); })) {
    if (const auto now = Clock::now(); now >= next_report) {
      log_info("data", "filling the input queues: [{}/{}]", ready_.size(), options_.minibatch_queue_size);
      next_report = now + 2s;
    }
  }
  lock.unlock();
  rethrow_if_failed();
}

bool RoIDataLoader::may_claim() const {
  if (next_claim_ == total_ || next_claim_ >= next_deliver_ + static_cast<std::int64_t>(options_.minibatch_queue_size))
    return false;
  const std::int64_t in_work = next_claim_ - next_deliver_ - static_cast<std::int64_t>(ready_.size());
  if (options_.queue_bytes == 0 || shared_->bytes + (in_work + 1) * largest_ <= options_.queue_bytes) return true;
  // Delivery is in global order, so a worker without data waits for all that comes before its own.
  return next_claim_ == next_deliver_ && !in_hand_ &&
         std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue->size() == 0; });
}

bool RoIDataLoader::prefilled(Prefill prefill) const {
  const bool all_built = !may_claim() && static_cast<std::int64_t>(ready_.size()) == next_claim_ - next_deliver_;
  const bool stands = in_hand_ ? queues_[*in_hand_]->size() == queues_[*in_hand_]->capacity() : ready_.empty();
  if (all_built && stands) return true;  // nothing happens until a worker takes something
  return prefill == Prefill::kOne &&
         std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue->size() > 0; });
}

void RoIDataLoader::check_record(const std::vector<Tensor>& record) const {
  LS_ASSERT(record.size() == fields_.size(), "a micro-batch has {} tensors for {} names", record.size(),
            fields_.size());
  for (std::size_t i = 0; i < record.size(); ++i) {
    LS_ASSERT(record[i].dtype() == fields_[i].dtype && record[i].rank() == fields_[i].rank,
              "'{}' of a micro-batch is {}, wanted {} with {} axes", fields_[i].name, record[i].describe(),
              to_string(fields_[i].dtype), fields_[i].rank);
  }
}

void RoIDataLoader::run_loader(std::size_t thread) {
  for (;;) {
    std::int64_t number;
    {
      const StageTimer timer(options_.clock.get(), LoaderStage::kQueue);
      std::unique_lock lock(shared_->mutex);
      shared_->changed.wait(lock, [&] { return stopped_ || next_claim_ == total_ || may_claim(); });
      if (stopped_ || next_claim_ == total_) return;
      number = next_claim_++;
      busy_[thread] = {number, Clock::now()};
    }
    const Place place = place_of(number);
    std::vector<Tensor> record = build_(place.step, place.index);
    check_record(record);
    {
      std::lock_guard lock(shared_->mutex);
      busy_[thread].number = -1;
      shared_->bytes += bytes_of(record);
      largest_ = std::max(largest_, bytes_of(record));
      ready_.emplace(number, std::move(record));
    }
    shared_->changed.notify_all();
  }
}

void RoIDataLoader::run_distributor() {
  for (;;) {
    std::vector<Tensor> record;
    std::size_t worker = 0;
    {
      std::unique_lock lock(shared_->mutex);
      last_delivery_ = Clock::now();
      if (next_deliver_ == total_) {
        finished_ = true;
        break;
      }
      shared_->changed.wait(lock,
                            [&] { return stopped_ || (!ready_.empty() && ready_.begin()->first == next_deliver_); });
      if (stopped_) return;
      record = std::move(ready_.begin()->second);
      ready_.erase(ready_.begin());
      worker = place_of(next_deliver_++).worker;
      in_hand_ = worker;
    }
    shared_->changed.notify_all();
    if (!queues_[worker]->push(std::move(record))) return;
    {
      std::lock_guard lock(shared_->mutex);
      in_hand_.reset();
    }
    shared_->changed.notify_all();
  }
  for (const auto& queue : queues_) queue->close();
}

bool RoIDataLoader::cancelled() const {
  return signalled_.requested() || (options_.cancel != nullptr && options_.cancel->requested());
}

// Sees what cannot wake a thread (a token set by a signal handler) and what nobody reports (a standstill).
void RoIDataLoader::run_watch() {
  std::unique_lock lock(shared_->mutex);
  while (!stopped_ && !finished_) {
    if (cancelled()) {
      lock.unlock();
      stop(std::nullopt);
      return;
    }
    if (const std::string line = standstill(); !line.empty()) {
      lock.unlock();
      log_warning("data", "{}", line);
      lock.lock();
    }
    const auto next = Clock::now() + kWatchPeriod;
    shared_->changed.wait_until(lock, next, [&] { return stopped_ || finished_; });
  }
}

std::string RoIDataLoader::standstill() {
  const auto now = Clock::now();
  const auto seconds = [&](Clock::time_point since) { return std::chrono::duration<double>(now - since).count(); };
  if (finished_ || seconds(last_delivery_) < options_.watch_seconds) return "";
  const auto starves = [](const auto& queue) { return queue->consumers_waiting() > 0; };
  if (std::none_of(queues_.begin(), queues_.end(), starves)) return "";
  std::string line = fmt::format("no micro-batch was delivered for {:.1f} s", seconds(last_delivery_));
  for (std::size_t w = 0; w < queues_.size(); ++w) {
    line += fmt::format("; worker {} {} [{}/{}]", w, starves(queues_[w]) ? "waits" : "does not wait",
                        queues_[w]->size(), queues_[w]->capacity());
  }
  for (std::size_t t = 0; t < busy_.size(); ++t) {
    if (busy_[t].number < 0) {
      line += fmt::format("; loader thread {} waits", t);
    } else {
      const Place place = place_of(busy_[t].number);
      line += fmt::format("; loader thread {} builds micro-batch {} of step {} since {:.1f} s", t, place.index,
                          place.step, seconds(busy_[t].since));
    }
  }
  last_delivery_ = now;  // the next line comes after as long again
  return line;
}

void RoIDataLoader::guard(const std::function<void()>& body) noexcept {
  // Errors leave a thread as values: an exception object shared between threads would be freed by
  // whichever lets go last, which race detectors cannot follow.
  try {
    body();
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
    std::lock_guard lock(shared_->mutex);
    if (!stopped_ && error) error_.emplace(*error);
    stopped_ = true;
  }
  shared_->changed.notify_all();
  for (const auto& queue : queues_) queue->close();
}

void RoIDataLoader::shutdown() {
  stop(std::nullopt);
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(shared_->mutex);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
  std::lock_guard lock(shared_->mutex);
  for (const auto& [number, record] : ready_) shared_->bytes -= bytes_of(record);
  ready_.clear();
  handler_.reset();
}

bool RoIDataLoader::has_stopped() const {
  std::lock_guard lock(shared_->mutex);
  return stopped_;
}

std::optional<Error> RoIDataLoader::first_error() const {
  std::lock_guard lock(shared_->mutex);
  return error_;
}

void RoIDataLoader::rethrow_if_failed() const {
  if (std::optional<Error> error = first_error()) throw Error(*error);
}

std::size_t RoIDataLoader::minibatches_waiting() const {
  std::lock_guard lock(shared_->mutex);
  return ready_.size();
}

std::int64_t RoIDataLoader::bytes_waiting() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->bytes;
}

LoaderReport RoIDataLoader::report() const {
  LoaderReport report;
  report.threads = options_.threads;
  if (options_.clock) report.stages = options_.clock->totals();
  StageClock::Total& dequeue = report.stages[static_cast<std::size_t>(LoaderStage::kDequeue)];
  for (const auto& queue : queues_) {
    report.empty_wait.push_back(queue->empty_wait_seconds());
    dequeue.seconds += report.empty_wait.back();
  }
  return report;
}

}  // namespace lockstep
