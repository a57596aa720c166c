// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lockstep/base/cancel_token.h"
#include "lockstep/base/error.h"
#include "lockstep/base/stop_on_signal.h"
#include "lockstep/data/loader_report.h"
#include "lockstep/data/loader_stages.h"
#include "lockstep/data/record_field.h"
#include "lockstep/tensor/blobs_queue.h"

namespace lockstep {

// The micro-batches lo..hi-1 of every step go to one worker.
struct WorkerRange {
  std::int64_t lo, hi;
};

struct LoaderOptions {
  std::vector<WorkerRange> workers;       // of this process, ascending and disjoint
  int threads = 4;                        // DATALOADER.NUM_WORKERS, at least 1
  std::size_t minibatch_queue_size = 64;  // micro-batches in work or waiting in order
  std::size_t blobs_queue_capacity = 8;   // micro-batches waiting per worker
  // Bytes of all micro-batches that are built and not yet taken, 0 for no limit. Once a micro-batch has told its size,
  // none is begun that would pass the limit, but for one at a time while a worker's queue is empty: the limit slows
  // the loader down and never stops it.
  std::int64_t queue_bytes = 0;
  // One past the last step: nothing of later steps is read, so that what is wrong with their images cannot fail a run
  // that never uses them.
  std::int64_t end_step = std::numeric_limits<std::int64_t>::max();
  const CancelToken* cancel = nullptr;  // ends the loader as shutdown() does; must outlive it
  std::shared_ptr<StageClock> clock;    // gets the stage kQueue; may be null
  double watch_seconds = 10;            // without a micro-batch for a waiting worker, before the log says who does what
};

enum class Prefill { kOne, kFull };

// Feeds the workers: loader threads build micro-batches ahead of time, one thread puts them into the
// workers' queues strictly in global order (step, then index), so that what a worker gets never depends on
// the number of threads. The first error of any thread closes every queue; what lies in them can still be
// read, then pop() gives nothing and rethrow_if_failed() says why.
class RoIDataLoader {
 public:
  // Builds micro-batch `index` of `step`; called from many threads, each micro-batch once.
  using Build = std::function<std::vector<Tensor>(std::int64_t step, std::int64_t index)>;

  // `fields` are a record's tensors in order; each record is checked against them.
  RoIDataLoader(Build build, std::vector<RecordField> fields, LoaderOptions options);
  ~RoIDataLoader();
  RoIDataLoader(const RoIDataLoader&) = delete;
  RoIDataLoader& operator=(const RoIDataLoader&) = delete;

  std::vector<std::string> get_output_names() const;
  const std::vector<RecordField>& fields() const { return fields_; }
  // The blob that holds a worker's queue in a workspace; no two loaders of a process share it.
  const std::string& queue_name() const { return queue_name_; }
  std::size_t workers() const { return queues_.size(); }
  // The queue of worker w, counted as in LoaderOptions::workers.
  std::shared_ptr<BlobsQueue> queue(std::size_t worker) const { return queues_.at(worker); }

  // From now to shutdown() the first SIGINT or SIGTERM ends the loader, the second one the process. Before start().
  void register_sigint_handler();

  // Starts the threads at the first micro-batch of `first_step`, whatever came before it, in constant time, and waits
  // until every worker has a record (kOne) or the queues are full (kFull); less when there is less to come. May
  // be called once. After the last step every queue is closed.
  // Returns at once when the loader is cancelled: has_stopped(). Throws the first error of a thread.
  void start(std::int64_t first_step, Prefill prefill);

  // Stops, closes every queue and joins the threads; idempotent. Not to be called from a loader thread.
  void shutdown();

  bool has_stopped() const;                  // after shutdown, cancel or an error
  std::optional<Error> first_error() const;  // nothing after a plain shutdown
  void rethrow_if_failed() const;

  // Seconds the worker has waited for an empty queue since the start: above a few percent of the run, the
  // loader is the bottleneck.
  double empty_wait_seconds(std::size_t worker) const { return queues_.at(worker)->empty_wait_seconds(); }
  // Micro-batches that are built and wait for their turn.
  std::size_t minibatches_waiting() const;
  // Bytes of all micro-batches that are built and not yet taken by a worker.
  std::int64_t bytes_waiting() const;
  // What it has done so far; stages other than kDequeue need LoaderOptions::clock.
  LoaderReport report() const;

 private:
  struct Place {
    std::int64_t step, index;
    std::size_t worker;
  };
  // Shared with the queues, which outlive the loader where a workspace holds them.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t bytes = 0;  // built and not yet taken
  };
  struct Busy {
    std::int64_t number = -1;  // the micro-batch that a loader thread builds, -1 for none
    std::chrono::steady_clock::time_point since;
  };

  Place place_of(std::int64_t number) const;
  void check_record(const std::vector<Tensor>& record) const;
  void run_loader(std::size_t thread);
  void run_distributor();
  void run_watch();
  void guard(const std::function<void()>& body) noexcept;
  void stop(std::optional<Error> error);
  bool cancelled() const;
  // Under the shared mutex:
  bool may_claim() const;
  bool prefilled(Prefill prefill) const;
  std::string standstill();  // what to say of workers that wait in vain, empty for nothing

  const Build build_;
  const std::vector<RecordField> fields_;
  const LoaderOptions options_;
  const std::string queue_name_;
  std::vector<Place> places_;  // of one step, in global order; step is 0
  std::vector<std::shared_ptr<BlobsQueue>> queues_;
  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  CancelToken signalled_;
  std::unique_ptr<StopOnSignal> handler_;

  // All below under the shared mutex.
  std::int64_t first_step_ = 0;
  std::int64_t total_ = 0;       // micro-batches from the first step to the last
  std::int64_t next_claim_ = 0;  // micro-batches are numbered from the first one of the first step
  std::int64_t next_deliver_ = 0;
  std::int64_t largest_ = 0;  // bytes of a record so far
  std::map<std::int64_t, std::vector<Tensor>> ready_;
  std::optional<std::size_t> in_hand_;  // the worker whose micro-batch is between ready_ and its queue
  std::vector<Busy> busy_;              // of each loader thread
  std::chrono::steady_clock::time_point last_delivery_;
  bool started_ = false;
  bool stopped_ = false;
  bool finished_ = false;  // every micro-batch is delivered
  std::optional<Error> error_;
  std::vector<std::thread> threads_;
};

}  // namespace lockstep
