// SPDX-License-Identifier: Apache-2.0
#include "graph/test_ops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "lockstep/base/check.h"

namespace lockstep::test {
namespace {

// Output 0 = f(element of every input), on float or double.
template <typename F>
void elementwise(KernelContext& c, F f) {
  const auto loop = [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < c.input(0).size(); ++i) {
      std::vector<T> in;
      for (int k = 0; k < c.input_count(); ++k) in.push_back(c.input(k).data<T>()[i]);
      c.output(0).data<T>()[i] = static_cast<T>(f(in));
    }
  };
  if (c.input(0).dtype() == DType::kF64) {
    loop(0.0);
  } else {
    loop(0.0F);
  }
}

void mul(KernelContext& c) {
  elementwise(c, [](const auto& in) { return in[0] * in[1]; });
}
void sin(KernelContext& c) {
  elementwise(c, [](const auto& in) { return std::sin(in[0]); });
}
void sin_gradient(KernelContext& c) {
  elementwise(c, [](const auto& in) { return std::cos(in[0]) * in[1]; });
}
void cos_gradient(KernelContext& c) {
  elementwise(c, [](const auto& in) { return -std::sin(in[0]) * in[1]; });
}
void tanh(KernelContext& c) {
  elementwise(c, [](const auto& in) { return std::tanh(in[0]); });
}
void tanh_gradient(KernelContext& c) {
  elementwise(c, [](const auto& in) { return in[1] * (1 - in[0] * in[0]); });
}
void sum(KernelContext& c) {
  elementwise(c, [](const auto& in) {
    auto total = in[0];
    for (std::size_t k = 1; k < in.size(); ++k) total += in[k];
    return total;
  });
}
void scale(KernelContext& c) {
  const double factor = c.args().number("scale");
  elementwise(c, [&](const auto& in) { return factor * static_cast<double>(in[0]); });
}
void copy(KernelContext& c) {
  elementwise(c, [](const auto& in) { return in[0]; });
}
template <typename T>
void sin_cos(KernelContext& c) {
  for (std::int64_t i = 0; i < c.input(0).size(); ++i) {
    const T x = c.input(0).data<T>()[i];
    c.output(0).data<T>()[i] = std::sin(x);
    c.output(1).data<T>()[i] = std::cos(x);
  }
}
template <typename T>
void total(KernelContext& c) {
  T sum = 0;
  for (std::int64_t i = 0; i < c.input(0).size(); ++i) sum += c.input(0).data<T>()[i];
  c.output(0).data<T>()[0] = sum;
}
template <typename T>
void total_gradient(KernelContext& c) {
  for (std::int64_t i = 0; i < c.input(0).size(); ++i) c.output(0).data<T>()[i] = c.input(1).data<T>()[0];
}
template <typename T>
void fill(KernelContext& c) {
  for (std::int64_t i = 0; i < c.output(0).size(); ++i) {
    c.output(0).data<T>()[i] = static_cast<T>(c.args().number("value"));
  }
}
void fail(KernelContext&) { LS_THROW(kNumeric, "this operator always fails"); }
void fail_if(KernelContext& c) {
  LS_CHECK(kNumeric, c.input(1).data<float>()[0] <= 0, "the fuse has blown");
  copy(c);
}
void nap(KernelContext& c) {
  std::this_thread::sleep_for(std::chrono::microseconds(c.args().integer("us")));
  copy(c);
}
// Waits until as many operators as `partners` says are inside at once.
void meet(KernelContext& c) {
  static std::mutex mutex;
  static std::condition_variable changed;
  static int inside = 0;
  static int meeting = 0;
  std::unique_lock lock(mutex);
  const int mine = meeting;
  if (++inside == c.args().integer("partners")) {
    inside = 0;
    ++meeting;
    changed.notify_all();
  } else {
    changed.wait(lock, [&] { return meeting != mine; });
  }
  copy(c);
}

OpSchema unary(const std::string& type, void (*kernel)(KernelContext&)) {
  OpSchema schema(type);
  schema.doc(type).input("X", "vector").output("Y", "vector").infer(same_as_first_input);
  schema.cpu(function_kernel(kernel)).reference(function_kernel(kernel));
  return schema;
}

OpSchema binary(const std::string& type, void (*kernel)(KernelContext&)) {
  OpSchema schema(type);
  schema.doc(type).input("A", "vector").input("B", "vector").output("C", "vector");
  schema.infer([](const InferContext& c) {
    c.require_same_shape(0, 1);
    return same_as_first_input(c);
  });
  schema.cpu(function_kernel(kernel)).reference(function_kernel(kernel));
  return schema;
}

Gradients pass_through(const GradientContext& g) {
  return {{}, std::vector<std::string>(static_cast<std::size_t>(g.input_count()), g.output_gradient(0))};
}

Gradients mul_rule(const GradientContext& g) {
  Gradients answer;
  for (int i = 0; i < 2; ++i) {
    const std::string name = g.needs_gradient(i) ? g.input_gradient(i) : "";
    if (!name.empty()) answer.ops.push_back(g.make("Mul", {g.output_gradient(0), g.input(1 - i)}, {name}));
    answer.input_gradients.push_back(name);
  }
  return answer;
}

Gradients sin_cos_rule(const GradientContext& g) {
  Gradients answer;
  std::vector<std::string> parts;
  for (int o = 0; o < 2; ++o) {
    if (g.output_gradient(o).empty()) continue;
    parts.push_back(g.input_gradient(0) + (o == 0 ? "_s" : "_c"));
    answer.ops.push_back(
        g.make(o == 0 ? "SinGradient" : "CosGradient", {g.input(0), g.output_gradient(o)}, {parts.back()}));
  }
  answer.ops.push_back(g.make("Sum", parts, {g.input_gradient(0)}));
  answer.input_gradients = {g.input_gradient(0)};
  return answer;
}

GradientRule one_op(const std::string& type, bool reads_output) {
  return [=](const GradientContext& g) -> Gradients {
    const std::string saved = reads_output ? g.output(0) : g.input(0);
    return {{g.make(type, {saved, g.output_gradient(0)}, {g.input_gradient(0)})}, {g.input_gradient(0)}};
  };
}

OpCatalog make_catalog() {
  OpCatalog catalog;
  catalog.add(binary("Mul", mul).in_place(0, 0).gradient(mul_rule));
  catalog.add(unary("Sin", sin).in_place(0, 0).gradient(one_op("SinGradient", false)));
  catalog.add(binary("SinGradient", sin_gradient).in_place(1, 0).no_gradient("second derivative"));
  catalog.add(binary("CosGradient", cos_gradient).in_place(1, 0).no_gradient("second derivative"));
  catalog.add(unary("Tanh", tanh).in_place(0, 0).gradient(one_op("TanhGradient", true)));
  catalog.add(binary("TanhGradient", tanh_gradient).in_place(1, 0).no_gradient("second derivative"));
  catalog.add(binary("Add", sum).in_place(0, 0).gradient(pass_through));
  catalog.add(OpSchema("Sum")
                  .doc("adds")
                  .input("X", "vectors")
                  .variadic_inputs(1)
                  .output("Y", "vector")
                  .in_place(0, 0)
                  .infer(same_as_first_input)
                  .gradient(pass_through)
                  .cpu(function_kernel(sum))
                  .reference(function_kernel(sum)));
  catalog.add(unary("Scale", scale)
                  .in_place(0, 0)
                  .arg("scale", 1.0, "factor")
                  .gradient([](const GradientContext& g) -> Gradients {
                    return {{g.make("Scale", {g.output_gradient(0)}, {g.input_gradient(0)})}, {g.input_gradient(0)}};
                  }));
  catalog.add(unary("SinCos", sin_cos<float>)
                  .output("Z", "vector")
                  .infer([](const InferContext& c) {
                    return std::vector<TensorInfo>{c.input(0), c.input(0)};
                  })
                  .gradient(sin_cos_rule)
                  .reference(function_kernel(sin_cos<double>)));
  const auto scalar = [](const InferContext& c) { return std::vector<TensorInfo>{{c.input(0).dtype, {1}}}; };
  catalog.add(unary("Total", total<float>)
                  .infer(scalar)
                  .gradient(one_op("TotalGradient", false))
                  .reference(function_kernel(total<double>)));
  catalog.add(OpSchema("TotalGradient")
                  .doc("spreads")
                  .input("X", "vector")
                  .input("dY", "scalar")
                  .output("dX", "vector")
                  .infer(same_as_first_input)
                  .no_gradient("second derivative")
                  .cpu(function_kernel(total_gradient<float>))
                  .reference(function_kernel(total_gradient<double>)));
  catalog.add(unary("StopGradient", copy).in_place(0, 0).no_gradient("it exists to stop gradients"));
  catalog.add(OpSchema("ConstantFill")
                  .doc("fills")
                  .output("Y", "vector")
                  .arg("shape", std::vector<std::int64_t>{1}, "shape")
                  .arg("value", 0.0, "value")
                  .infer([](const InferContext& c) {
                    return std::vector<TensorInfo>{{c.real(), c.args().integers("shape")}};
                  })
                  .no_gradient("a constant")
                  .cpu(function_kernel(fill<float>))
                  .reference(function_kernel(fill<double>)));
  catalog.add(unary("Fail", fail).no_gradient("it only fails"));
  catalog.add(unary("FailIf", fail_if).input("fuse", "fails when positive").in_place(0, 0).no_gradient("it may fail"));
  catalog.add(unary("Nap", nap).arg("us", std::int64_t{0}, "microseconds").range(0, 1e6).no_gradient("it only sleeps"));
  catalog.add(unary("Meet", meet).arg("partners", std::int64_t{1}, "operators").no_gradient("it only waits"));
  return catalog;
}

}  // namespace

const OpCatalog& catalog() {
  static const OpCatalog catalog = make_catalog();
  return catalog;
}

World::World(int count, Engine engine) {
  for (int i = 0; i < count; ++i) devices.push_back(std::make_unique<TestDevice>(i));
  environment.catalog = &catalog();
  environment.workspace = &workspace;
  environment.engine = engine;
  for (const auto& device : devices) environment.devices.push_back(device.get());
}

void World::feed(const std::string& name, const std::vector<double>& values) {
  const Shape shape = {static_cast<std::int64_t>(values.size())};
  if (environment.engine == Engine::kReference) {
    workspace.feed(name, Tensor::from<double>(shape, values));
  } else {
    workspace.feed(name, Tensor::from<float>(shape, std::vector<float>(values.begin(), values.end())));
  }
}

std::vector<double> World::fetch(const std::string& name) const {
  const Tensor& tensor = workspace.fetch(name);
  std::vector<double> values;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    values.push_back(tensor.dtype() == DType::kF64 ? tensor.data<double>()[i] : tensor.data<float>()[i]);
  }
  return values;
}

std::string ops_text(const NetDef& net) {
  std::string text;
  for (const OperatorDef& op : net.op()) {
    text += fmt::format("{}{} = {}({})\n", op.is_gradient_op() ? "*" : "", fmt::join(op.output(), ", "), op.type(),
                        fmt::join(op.input(), ", "));
  }
  return text;
}

}  // namespace lockstep::test
