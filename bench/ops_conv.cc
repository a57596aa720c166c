// SPDX-License-Identifier: Apache-2.0
// GFLOP/s of oneDNN convolutions and inner products as the operators call them, weight conversions included: layers
// of the narrow ResNet-18 detector at 320x240 and of R50-FPN at 320x320. The rate counts CPU time of one thread, 2
// operations per multiply-add of the unpadded shapes.
#include <benchmark/benchmark.h>

#include "lockstep/backend/cpu/dnnl_ops.h"

namespace lockstep {
namespace {

Tensor filled(const Shape& shape, float value) {
  Tensor tensor(DType::kF32, shape);
  std::fill_n(tensor.data<float>(), tensor.size(), value);
  return tensor;
}

struct Layer {
  const char* name;
  Shape x, w;
  std::int64_t stride;
};

const Layer kLayers[] = {
    {"r18n_stem_7x7", {1, 3, 240, 320}, {24, 3, 7, 7}, 2},  {"r18n_res2_3x3", {1, 24, 60, 80}, {24, 24, 3, 3}, 1},
    {"r18n_res3_3x3", {1, 48, 30, 40}, {48, 48, 3, 3}, 1},  {"r18n_res5_3x3", {1, 192, 8, 10}, {192, 192, 3, 3}, 1},
    {"r18n_fpn_3x3", {1, 64, 60, 80}, {64, 64, 3, 3}, 1},   {"r50_res2_3x3", {2, 64, 80, 80}, {64, 64, 3, 3}, 1},
    {"r50_res2_1x1", {2, 64, 80, 80}, {256, 64, 1, 1}, 1},  {"r50_res4_3x3", {2, 256, 20, 20}, {256, 256, 3, 3}, 1},
    {"r50_fpn_3x3", {2, 256, 80, 80}, {256, 256, 3, 3}, 1},
};

void report(benchmark::State& state, double multiply_adds) {
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * multiply_adds, benchmark::Counter::kIsIterationInvariantRate);
}

enum class Pass { kForward, kData, kWeights };

void convolution(benchmark::State& state, const Layer& layer, Pass pass) {
  CpuDevice device;
  const ConvGeometry geometry{.stride = layer.stride, .pad = layer.w[2] / 2};
  const Tensor x_plain = filled(layer.x, 0.5f);
  const Tensor w = filled(layer.w, 0.25f);
  Tensor x, y, dx, dw;
  // Inputs come in the layout that the layer before would give them.
  convolution_forward(device, x_plain, w, nullptr, geometry, y);
  reorder(device, x_plain, layer.x[1] < 8 ? Layout::kPlain : y.layout(), x);
  Tensor dy = y.clone();
  for (auto _ : state) {
    switch (pass) {
      case Pass::kForward: convolution_forward(device, x, w, nullptr, geometry, y); break;
      case Pass::kData: convolution_backward_data(device, x.shape(), w, dy, geometry, dx); break;
      case Pass::kWeights: convolution_backward_weights(device, x, w.shape(), dy, geometry, dw, nullptr); break;
    }
  }
  report(state, static_cast<double>(y.size()) * static_cast<double>(w.size() / layer.w[0]));
  state.SetLabel(std::string(to_string(y.layout())));
}

void inner_product(benchmark::State& state) {
  CpuDevice device;
  const Tensor x = filled({128, 64 * 49}, 0.5f);
  const Tensor w = filled({256, 64 * 49}, 0.25f);
  const Tensor bias = filled({256}, 0.0f);
  Tensor y;
  for (auto _ : state) inner_product_forward(device, x, w, bias, y);
  report(state, static_cast<double>(y.size()) * 64 * 49);
}
}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  using namespace lockstep;
  for (const Layer& layer : kLayers) {
    const std::string name = layer.name;
    benchmark::RegisterBenchmark((name + "/forward").c_str(), convolution, layer, Pass::kForward);
    benchmark::RegisterBenchmark((name + "/data").c_str(), convolution, layer, Pass::kData);
    benchmark::RegisterBenchmark((name + "/weights").c_str(), convolution, layer, Pass::kWeights);
  }
  benchmark::RegisterBenchmark("box_head_fc/forward", inner_product);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
