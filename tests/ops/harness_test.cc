// SPDX-License-Identifier: Apache-2.0
// The harness must find operators that are wrong: each test plants one fault and wants a failure.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "ops/op_checks.h"

namespace lockstep {
namespace {

// Doubles its input; `fault` names what is wrong with it.
template <typename T>
void twice(KernelContext& context) {
  const std::string& fault = context.args().text("fault");
  const Tensor& x = context.input(0);
  const bool in_place = &x == &context.output(0);
  const bool is_float = x.dtype() == DType::kF32;
  T* y = context.output(0).data<T>();
  for (std::int64_t i = 0; i < x.storage_size(); ++i) {
    if (fault == "gap" && is_float && i == 3) continue;
    y[i] = T{2} * x.data<T>()[i];
    if (fault == "value" && is_float && i == 1) y[i] += T{1e-3f};
    if (fault == "in_place" && in_place) y[i] += T{1e-3f};
    if (fault == "padding" && x.layout() != Layout::kPlain) y[i] += T{1};
  }
}

OpCatalog catalog_of_twice() {
  OpCatalog catalog;
  catalog.add(OpSchema("Twice")
                  .input("X", "")
                  .output("Y", "")
                  .arg("fault", std::string(), "")
                  .in_place(0, 0)
                  .layouts(LayoutRule::kSame)
                  .infer([](const InferContext& context) -> std::vector<TensorInfo> {
                    TensorInfo info = context.input(0);
                    if (context.args().text("fault") == "inference" && info.shape[0] == -1) info.shape[0] = 7;
                    return {info};
                  })
                  .gradient([](const GradientContext& context) -> Gradients {
                    OperatorDef def = context.make("Twice", {context.output_gradient(0)}, {context.input_gradient(0)});
                    if (def.arg(0).s() == "gradient") return {{}, {context.output_gradient(0)}};
                    return {{def}, {context.input_gradient(0)}};
                  })
                  .cpu(function_kernel(twice<float>))
                  .reference(function_kernel(twice<double>)));
  return catalog;
}

using Check = void (*)(const OpCase&, const OpRun&);

int failures(const std::string& fault, Check check) {
  const OpCatalog catalog = catalog_of_twice();
  const UseCatalog use(catalog);
  OpCase one;
  one.name = one.type = "Twice";
  one.args = {arg("fault", fault)};
  one.inputs = tensors(random_tensor({1, 3, 2, 2}, 1));
  one.differentiable = {0};
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    if (check == nullptr) {
      check_finite_differences(one, one.inputs);
    } else {
      check(one, run_case(one, one.inputs, {}).runs[0]);
    }
  }
  return results.size();
}

struct Fault {
  const char* name;
  Check check;
};

TEST(Harness, EveryPlantedFaultIsFound) {
  for (const Fault& fault :
       {Fault{"value", check_value}, Fault{"gap", check_determinism}, Fault{"in_place", check_in_place},
        Fault{"padding", check_layouts}, Fault{"inference", check_inference}, Fault{"gradient", nullptr}}) {
    EXPECT_EQ(failures("", fault.check), 0) << "without a fault: " << fault.name;
    EXPECT_GE(failures(fault.name, fault.check), 1) << fault.name;
  }
}

}  // namespace
}  // namespace lockstep
