// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/primitive_cache.h"

#include "lockstep/backend/cpu/dnnl_plan.h"

namespace lockstep {

std::shared_ptr<const DnnlPlan> PrimitiveCache::get(const PrimitiveKey& key,
                                                    const std::function<std::shared_ptr<const DnnlPlan>()>& make) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(key);
    if (found != index_.end()) {
      ++statistics_.hits;
      entries_.splice(entries_.begin(), entries_, found->second);
      return found->second->plan;
    }
    ++statistics_.misses;
  }
  std::shared_ptr<const DnnlPlan> plan = make();
  const std::lock_guard lock(mutex_);
  const auto [place, added] = index_.try_emplace(key);
  if (!added) return place->second->plan;  // another thread made it meanwhile
  entries_.push_front({key, plan, plan->bytes()});
  place->second = entries_.begin();
  statistics_.bytes += plan->bytes();
  drop_oldest();
  return plan;
}

PrimitiveCache::Statistics PrimitiveCache::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics now = statistics_;
  now.entries = entries_.size();
  return now;
}

void PrimitiveCache::drop_oldest() {
  while (statistics_.bytes > maximum_bytes_ && entries_.size() > 1) {
    statistics_.bytes -= entries_.back().bytes;
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

}  // namespace lockstep
