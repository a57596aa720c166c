// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/measure_all_reduce.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <latch>
#include <memory>
#include <vector>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/collective/all_reduce.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/graph/net.h"

namespace lockstep {
namespace {

constexpr std::int64_t kSmallestBlob = 4096;  // bytes; below, cutting a message costs more than it gains

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Body>
double seconds_of(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The blobs of all workers and the net that reduces them.
class Rehearsal {
 public:
  explicit Rehearsal(const AllReduceTrial& trial) : trial_(trial), catalog_(full_catalog()) {
    std::vector<DeviceId> ids;
    environment_.catalog = &catalog_;
    environment_.workspace = &workspace_;
    for (int w = 0; w < trial.workers; ++w) {
      devices_.push_back(std::make_unique<CpuDevice>(w));
      environment_.devices.push_back(devices_.back().get());
      ids.push_back(devices_.back()->id());
    }
    lanes_ = std::make_unique<LanePool>(trial.workers,
                                        [this](int lane) { devices_[static_cast<std::size_t>(lane)]->enter_thread(); });
    environment_.lanes = lanes_.get();

    const std::int64_t elements = trial.bytes / 4;
    blobs_ = static_cast<int>(
        std::clamp<std::int64_t>(trial.bytes / kSmallestBlob, 1, static_cast<std::int64_t>(trial.workers)));
    const AllReduceFunction reduce = all_reduce_named(trial.collective);
    NetBuilder net("all_reduce", "dag");
    for (int b = 0; b < blobs_; ++b) {
      const std::int64_t size = elements / blobs_ + (b < elements % blobs_ ? 1 : 0);
      AllReduce all_reduce{
          fmt::format("all_reduce_{}", b), trial.workers, {}, ids[static_cast<std::size_t>(b % trial.workers)]};
      for (int w = 0; w < trial.workers; ++w) {
        const std::string name = blob_name(w, b);
        workspace_.feed(name, Tensor(DType::kF32, {size}));
        all_reduce.shares.push_back({ids[static_cast<std::size_t>(w)], {name}, name});
      }
      reduce(net, all_reduce);
    }
    net_ = make_net(net.net(), environment_);
  }

  // Small whole numbers: every order of addition gives the exact sum.
  void fill() {
    for (int b = 0; b < blobs_; ++b) {
      for (int w = 0; w < trial_.workers; ++w) {
        Tensor& tensor = blob(w, b);
        for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = value(w, i);
      }
    }
  }
  void reduce() { net_->run(); }
  void check() {
    for (int b = 0; b < blobs_; ++b) {
      for (int w = 0; w < trial_.workers; ++w) {
        const Tensor& tensor = blob(w, b);
        for (std::int64_t i = 0; i < tensor.size(); ++i) {
          float wanted = 0;
          for (int other = 0; other < trial_.workers; ++other) wanted += value(other, i);
          LS_ASSERT(tensor.data<float>()[i] == wanted,
                    "{} all-reduce of {} bytes on {} workers: worker {} has {} at element {} of blob {}, wanted {}",
                    trial_.collective, trial_.bytes, trial_.workers, w, tensor.data<float>()[i], i, b, wanted);
        }
      }
    }
  }

  // Reads and writes as much as the all-reduce has to: every lane copies the messages of its own worker within itself,
  // the first half over the second and back.
  void copy() {
    std::latch done(trial_.workers);
    for (int w = 0; w < trial_.workers; ++w) {
      lanes_->run(w, [this, w, &done] {
        for (int b = 0; b < blobs_; ++b) {
          Tensor& tensor = blob(w, b);
          const std::size_t half = tensor.bytes() / 2;
          auto* const bytes = static_cast<char*>(tensor.raw());
          std::memcpy(bytes + half, bytes, half);
          std::memcpy(bytes, bytes + half, half);
        }
        done.count_down();
      });
    }
    done.wait();
  }

 private:
  static float value(int worker, std::int64_t i) { return static_cast<float>((i * 7 + worker * 13) % 101); }
  static std::string blob_name(int worker, int b) { return fmt::format("cpu_{}/blob_{}", worker, b); }
  Tensor& blob(int worker, int b) { return workspace_.get(blob_name(worker, b)).tensor(); }

  AllReduceTrial trial_;
  OpCatalog catalog_;
  Workspace workspace_;
  std::vector<std::unique_ptr<CpuDevice>> devices_;
  std::unique_ptr<LanePool> lanes_;
  NetEnvironment environment_;
  int blobs_ = 1;
  std::unique_ptr<Net> net_;
};

}  // namespace

AllReduceTime measure_all_reduce(const AllReduceTrial& trial) {
  LS_CHECK(kConfig, trial.workers >= 1 && trial.repeats >= 1 && trial.bytes >= 4 && trial.bytes % 4 == 0,
           "an all-reduce of {} bytes on {} workers, {} times: wanted at least one worker and repeat, and whole floats",
           trial.bytes, trial.workers, trial.repeats);
  Rehearsal rehearsal(trial);
  rehearsal.fill();
  rehearsal.reduce();  // also warms up
  rehearsal.check();
  std::vector<double> reduced, copied;
  // Short messages are timed many at once: the clock and waking the lanes would be all that is measured.
  const auto rounds = static_cast<int>(std::clamp<std::int64_t>((std::int64_t{1} << 22) / trial.bytes, 1, 200));
  for (int i = 0; i < trial.repeats; ++i) {
    rehearsal.fill();  // sums of sums would grow past what floats hold exactly
    reduced.push_back(seconds_of([&] {
                        for (int r = 0; r < rounds; ++r) rehearsal.reduce();
                      }) /
                      rounds);
    copied.push_back(seconds_of([&] {
                       for (int r = 0; r < rounds; ++r) rehearsal.copy();
                     }) /
                     rounds);
  }
  return {median_of(reduced), median_of(copied)};
}

}  // namespace lockstep
