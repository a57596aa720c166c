// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lockstep {

class DnnlPlan;

// Everything that decides a primitive: kind of operation, shapes, geometry, layouts, threads,
// instruction set, as plain numbers.
using PrimitiveKey = std::vector<std::int64_t>;

// The primitives made so far, the least recently used dropped first when their estimated size passes
// a bound. May be shared by the devices of one process: primitives hold no data and may run in
// several threads at once. Thread-safe.
class PrimitiveCache {
 public:
  static constexpr std::size_t kDefaultBytes = std::size_t{64} << 20;

  explicit PrimitiveCache(std::size_t maximum_bytes = kDefaultBytes) : maximum_bytes_(maximum_bytes) {}

  // The plan under `key`; `make` is called without a lock held when there is none.
  std::shared_ptr<const DnnlPlan> get(const PrimitiveKey& key,
                                      const std::function<std::shared_ptr<const DnnlPlan>()>& make);

  struct Statistics {
    std::size_t hits = 0;
    std::size_t misses = 0;
    std::size_t entries = 0;
    std::size_t bytes = 0;  // estimate
  };
  Statistics statistics() const;

 private:
  struct Entry {
    PrimitiveKey key;
    std::shared_ptr<const DnnlPlan> plan;
    std::size_t bytes;
  };
  void drop_oldest();

  const std::size_t maximum_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::map<PrimitiveKey, std::list<Entry>::iterator> index_;
  Statistics statistics_;
};

}  // namespace lockstep
