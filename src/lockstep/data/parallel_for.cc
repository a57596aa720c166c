// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lockstep/base/cpu_count.h"
#include "lockstep/base/error.h"

namespace lockstep {
namespace {

// The error of the lowest index; errors leave a thread as values.
class FirstError {
 public:
  void add(std::size_t index, const Error& error) {
    const std::lock_guard lock(mutex_);
    if (error_ && index_ < index) return;
    error_.emplace(error);
    index_ = index;
  }
  void rethrow() const {
    if (error_) throw Error(*error_);
  }

 private:
  std::mutex mutex_;
  std::optional<Error> error_;
  std::size_t index_ = 0;
};

}  // namespace

void parallel_for(std::size_t count, const std::function<void(std::size_t i)>& body) {
  FirstError first;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (const Error& error) {
        first.add(i, error);
      } catch (const std::bad_alloc&) {
        first.add(i, Error(ErrorKind::kDevice, "out of memory while files were read"));
      } catch (const std::exception& error) {
        first.add(i, Error(ErrorKind::kInternal, std::string("a reading thread failed: ") + error.what()));
      }
    }
  };
  const auto cores = static_cast<std::size_t>(std::max(1, available_cpus().cores));
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < std::min(cores, count); ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  first.rethrow();
}

}  // namespace lockstep
