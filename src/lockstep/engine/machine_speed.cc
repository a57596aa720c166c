// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/machine_speed.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <latch>
#include <memory>
#include <vector>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/base/lane_pool.h"

namespace lockstep {
namespace {

constexpr int kRepeats = 5;
constexpr std::int64_t kEdge = 768;                    // of the matrices
constexpr std::size_t kCopied = std::size_t{1} << 25;  // bytes, each way

// Seconds that `body(worker)` takes on all lanes at once; the best of some runs.
double best_seconds(LanePool& lanes, const std::function<void(int)>& body) {
  double best = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    std::latch done(lanes.lanes());
    const auto start = std::chrono::steady_clock::now();
    for (int w = 0; w < lanes.lanes(); ++w) {
      lanes.run(w, [&, w] {
        body(w);
        done.count_down();
      });
    }
    done.wait();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

MachineSpeed measure_machine(int workers, int threads) {
  struct Worker {
    std::unique_ptr<CpuDevice> device;
    Tensor x = Tensor(DType::kF32, {kEdge, kEdge}), w = Tensor(DType::kF32, {kEdge, kEdge}),
           bias = Tensor(DType::kF32, {kEdge}), y;
    std::vector<char> from = std::vector<char>(kCopied, 1), to = std::vector<char>(kCopied);
  };
  const auto primitives = std::make_shared<PrimitiveCache>();
  std::vector<Worker> all(static_cast<std::size_t>(workers));
  for (int w = 0; w < workers; ++w) {
    Worker& one = all[static_cast<std::size_t>(w)];
    one.device = std::make_unique<CpuDevice>(w, threads, primitives);
    for (Tensor* tensor : {&one.x, &one.w, &one.bias}) tensor->fill_zero();
  }
  LanePool lanes(workers, [&](int lane) { all[static_cast<std::size_t>(lane)].device->enter_thread(); });
  const auto multiply = [&](int w) {
    Worker& one = all[static_cast<std::size_t>(w)];
    inner_product_forward(*one.device, one.x, one.w, one.bias, one.y);
  };
  const auto copy = [&](int w) {
    Worker& one = all[static_cast<std::size_t>(w)];
    std::memcpy(one.to.data(), one.from.data(), kCopied);
  };
  MachineSpeed speed;
  speed.flops = 2.0 * kEdge * kEdge * kEdge / best_seconds(lanes, multiply);
  speed.bytes = 2.0 * static_cast<double>(kCopied) / best_seconds(lanes, copy);
  return speed;
}

}  // namespace lockstep
