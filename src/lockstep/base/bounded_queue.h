// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace lockstep {

// A first-in first-out queue for many producers and consumers that holds at most `capacity` items.
// close() wakes everybody: later pushes are refused, items already inside can still be popped.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Waits for space. False, with the item dropped, when the queue is or becomes closed.
  bool push(T item) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return closed_ || items_.size() < capacity_; });
    if (closed_) return false;
    items_.push_back(std::move(item));
    lock.unlock();
    not_empty_.notify_one();
    return true;
  }

  // Waits for an item. Nothing when the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    if (!closed_ && items_.empty()) {
      const auto begin = std::chrono::steady_clock::now();
      ++consumers_waiting_;
      not_empty_.wait(lock, [&] { return closed_ || !items_.empty(); });
      --consumers_waiting_;
      empty_wait_ += std::chrono::steady_clock::now() - begin;
    }
    return take(lock);
  }

  // As pop, but also nothing after `timeout` without an item.
  template <typename Rep, typename Period>
  std::optional<T> pop_for(std::chrono::duration<Rep, Period> timeout) {
    std::unique_lock lock(mutex_);
    not_empty_.wait_for(lock, timeout, [&] { return closed_ || !items_.empty(); });
    return take(lock);
  }

  // Called after each item taken out, outside the queue's lock. Set before the queue is shared between threads.
  void set_on_take(std::function<void(const T&)> on_take) { on_take_ = std::move(on_take); }

  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    not_full_.notify_all();
    not_empty_.notify_all();
  }

  bool closed() const {
    std::lock_guard lock(mutex_);
    return closed_;
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  std::size_t capacity() const { return capacity_; }
  // Consumers that stand in pop() now.
  int consumers_waiting() const {
    std::lock_guard lock(mutex_);
    return consumers_waiting_;
  }

  // How long pop() has waited for an item so far, summed over consumers.
  double empty_wait_seconds() const {
    std::lock_guard lock(mutex_);
    return std::chrono::duration<double>(empty_wait_).count();
  }

 private:
  std::optional<T> take(std::unique_lock<std::mutex>& lock) {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    lock.unlock();
    not_full_.notify_one();
    if (on_take_) on_take_(*item);
    return item;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<T> items_;
  std::function<void(const T&)> on_take_;
  int consumers_waiting_ = 0;
  std::chrono::steady_clock::duration empty_wait_{};
  bool closed_ = false;
};

}  // namespace lockstep
