// SPDX-License-Identifier: Apache-2.0
#pragma once

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

#include "lockstep/base/error.h"
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
  // One past the last step: nothing of later steps is read, so that what is wrong with their images cannot fail a run
  // that never uses them.
  std::int64_t end_step = std::numeric_limits<std::int64_t>::max();
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

  // `output_names` are the names of a record's tensors in order.
  RoIDataLoader(Build build, std::vector<std::string> output_names, LoaderOptions options);
  ~RoIDataLoader();
  RoIDataLoader(const RoIDataLoader&) = delete;
  RoIDataLoader& operator=(const RoIDataLoader&) = delete;

  const std::vector<std::string>& get_output_names() const { return output_names_; }
  // The queue of worker w, counted as in LoaderOptions::workers.
  std::shared_ptr<BlobsQueue> queue(std::size_t worker) const { return queues_.at(worker); }

  // Starts the threads at the first micro-batch of `first_step`, whatever came before it, and waits until
  // every worker has a record (kOne) or the minibatch queue is full too (kFull); less when there is less to come. May
  // be called once. After the last step every queue is closed.
  // Throws the first error of a thread.
  void start(std::int64_t first_step, Prefill prefill);

  // Stops, closes every queue and joins the threads; idempotent. Not to be called from a loader thread.
  void shutdown();

  bool has_stopped() const;                  // after shutdown or an error
  std::optional<Error> first_error() const;  // nothing after a plain shutdown
  void rethrow_if_failed() const;

  // Seconds the worker has waited for an empty queue since the start: above a few percent of the run, the
  // loader is the bottleneck.
  double empty_wait_seconds(std::size_t worker) const { return queues_.at(worker)->empty_wait_seconds(); }
  // Micro-batches that are built and wait for their turn.
  std::size_t minibatches_waiting() const;

 private:
  struct Place {
    std::int64_t step, index;
    std::size_t worker;
  };
  Place place_of(std::int64_t number) const;
  void run_loader();
  void run_distributor();
  void guard(void (RoIDataLoader::*body)()) noexcept;
  void stop(std::optional<Error> error);
  bool prefilled(Prefill prefill) const;  // under mutex_

  const Build build_;
  const std::vector<std::string> output_names_;
  const LoaderOptions options_;
  std::vector<Place> places_;  // of one step, in global order; step is 0
  std::vector<std::shared_ptr<BlobsQueue>> queues_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t first_step_ = 0;
  std::int64_t total_ = 0;       // micro-batches from the first step to the last
  std::int64_t next_claim_ = 0;  // micro-batches are numbered from the first one of the first step
  std::int64_t next_deliver_ = 0;
  std::map<std::int64_t, std::vector<Tensor>> ready_;
  bool started_ = false;
  bool stopped_ = false;
  std::optional<Error> error_;
  std::vector<std::thread> threads_;
};

}  // namespace lockstep
