// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/cpu_device.h"

#include <omp.h>

#if defined(__SSE__)
#include <immintrin.h>
#endif

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

#if defined(__SSE__)
constexpr unsigned kFlushDenormals = 0x8040;  // MXCSR: flush to zero, denormals are zero

void set_float_mode() { _mm_setcsr(_mm_getcsr() | kFlushDenormals); }
bool float_mode_is_set() { return (_mm_getcsr() & kFlushDenormals) == kFlushDenormals; }
#else
void set_float_mode() {}
bool float_mode_is_set() { return true; }
#endif

// The team size whose helper threads have the mode; they belong to the calling thread.
thread_local int prepared_team = 1;

void prepare_team(int threads) {
  if (threads > prepared_team) {
#pragma omp parallel num_threads(threads)
    set_float_mode();
  }
  prepared_team = threads;
}

}  // namespace

CpuDevice::CpuDevice(int index, int threads, std::shared_ptr<PrimitiveCache> primitives)
    : DeviceContext({DeviceType::kCpu, index}),
      threads_(threads),
      primitives_(primitives != nullptr ? std::move(primitives) : std::make_shared<PrimitiveCache>()) {
  LS_CHECK(kConfig, threads >= 1, "a CPU device needs at least 1 thread, got {}", threads);
}

void CpuDevice::enter_thread() {
  LS_ASSERT(omp_in_parallel() == 0, "device {} was used inside an OpenMP parallel region", to_string(id()));
  if (omp_get_max_threads() != threads_) omp_set_num_threads(threads_);
  if (!float_mode_is_set()) set_float_mode();
  if (prepared_team != threads_) prepare_team(threads_);
}

CpuDevice& as_cpu(DeviceContext& device) {
  auto* cpu = dynamic_cast<CpuDevice*>(&device);
  LS_ASSERT(cpu != nullptr, "a cpu kernel ran on device {}, which is no CpuDevice", to_string(device.id()));
  return *cpu;
}

}  // namespace lockstep
