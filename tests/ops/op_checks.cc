// SPDX-License-Identifier: Apache-2.0
#include "ops/op_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lockstep/base/error.h"

namespace lockstep {
namespace {

bool is_real(DType dtype) { return dtype == DType::kF32 || dtype == DType::kF64; }

bool agrees(const Shape& inferred, const Shape& made) {
  return inferred.size() == made.size() && std::equal(inferred.begin(), inferred.end(), made.begin(),
                                                      [](std::int64_t a, std::int64_t b) { return a == -1 || a == b; });
}

void expect_zero_padding(const Tensor& tensor, const std::string& what) {
  Tensor plain, again;
  convert_layout(tensor, Layout::kPlain, plain);
  convert_layout(plain, tensor.layout(), again);
  // An empty tensor may have no memory, which memcmp does not take.
  const bool equal = tensor.bytes() == 0 || std::memcmp(tensor.raw(), again.raw(), tensor.bytes()) == 0;
  EXPECT_TRUE(equal) << what << ": the padding is not zero";
}

std::vector<Tensor> clones(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> copies;
  for (const Tensor& tensor : tensors) copies.push_back(tensor.clone());
  return copies;
}

// The inputs of a run that may come in a blocked layout.
std::vector<std::size_t> blocked_inputs(const OpCase& one, const OpRun& run) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    if (run.inputs[i].rank() != 4 || !is_real(run.inputs[i].dtype())) continue;
    const std::string& name = run.def.input(static_cast<int>(i));
    const bool stays = std::any_of(one.plain_inputs.begin(), one.plain_inputs.end(),
                                   [&](int plain) { return name == "x" + std::to_string(plain); });
    if (!stays) found.push_back(i);
  }
  return found;
}

}  // namespace

void expect_close(const Tensor& found, const Tensor& wanted, double tolerance, const std::string& what) {
  ASSERT_EQ(to_string(found.shape()), to_string(wanted.shape())) << what;
  ASSERT_EQ(is_real(found.dtype()), is_real(wanted.dtype())) << what;
  Tensor plain_found, plain_wanted;
  convert_layout(found, Layout::kPlain, plain_found);
  convert_layout(wanted, Layout::kPlain, plain_wanted);
  if (!is_real(found.dtype())) {
    expect_same_bits(plain_found, plain_wanted, what);
    return;
  }
  const Tensor a = convert_dtype(plain_found, DType::kF64);
  const Tensor b = convert_dtype(plain_wanted, DType::kF64);
  double largest = 0.0;
  for (std::int64_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(b.data<double>()[i]));
  const double limit = tolerance * (largest > 0.0 ? largest : 1.0);
  for (std::int64_t i = 0; i < b.size(); ++i) {
    const double difference = std::abs(a.data<double>()[i] - b.data<double>()[i]);
    ASSERT_TRUE(difference <= limit) << what << " " << wanted.describe() << ": element " << i << " is "
                                     << a.data<double>()[i] << ", wanted " << b.data<double>()[i] << " within " << limit
                                     << " (largest value " << largest << ")";
  }
}

void expect_same_bits(const Tensor& found, const Tensor& wanted, const std::string& what) {
  ASSERT_EQ(found.describe(), wanted.describe()) << what;
  const auto* a = static_cast<const unsigned char*>(found.raw());
  const auto* b = static_cast<const unsigned char*>(wanted.raw());
  for (std::size_t i = 0; i < found.bytes(); ++i) {
    ASSERT_EQ(a[i], b[i]) << what << " " << wanted.describe() << ": element " << i / size_of(found.dtype())
                          << " has other bits";
  }
}

void check_value(const OpCase& one, const OpRun& run) {
  const std::vector<Tensor> device = BoundOp(run.def, Engine::kDevice, one.setup).run(run.inputs);
  const std::vector<Tensor> reference = BoundOp(run.def, Engine::kReference, one.setup).run(run.inputs);
  for (std::size_t o = 0; o < device.size(); ++o) {
    expect_close(device[o], reference[o], one.tolerance, "cpu kernel against reference, output " + std::to_string(o));
  }
}

void check_inference(const OpCase& one, const OpRun& run) {
  const OpSchema& schema = all_operators().find(run.def.type());
  for (const Engine engine : {Engine::kDevice, Engine::kReference}) {
    const std::vector<Tensor> outputs = BoundOp(run.def, engine, one.setup).run(run.inputs);
    std::vector<TensorInfo> known, unknown;
    for (const Tensor& input : run.inputs) {
      const Tensor fed = as_real(input, engine);
      known.push_back({fed.dtype(), fed.shape()});
      unknown.push_back({fed.dtype(), Shape(fed.shape().size(), -1)});
    }
    const DType real = engine == Engine::kReference ? DType::kF64 : DType::kF32;
    const OpArgs args = schema.resolve(run.def);
    const int count = run.def.output_size();
    std::vector<std::vector<TensorInfo>> inferred;
    inferred.push_back(schema.infer_outputs(args, known, count, real));
    if (one.unknown_sizes) inferred.push_back(schema.infer_outputs(args, unknown, count, real));
    for (const std::vector<TensorInfo>& infos : inferred) {
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        EXPECT_TRUE(infos[o].dtype == outputs[o].dtype() && agrees(infos[o].shape, outputs[o].shape()))
            << "inferred " << to_string(infos[o]) << ", made " << outputs[o].describe() << " for output " << o
            << (&infos == &inferred[0] ? "" : " (input sizes unknown)");
      }
    }
  }
}

void check_layouts(const OpCase& one, const OpRun& run) {
  if (!one.layouts) return;
  const std::vector<std::size_t> candidates = blocked_inputs(one, run);
  if (candidates.empty()) return;
  const std::vector<Tensor> plain = BoundOp(run.def, Engine::kDevice, one.setup).run(run.inputs);
  for (const Layout layout : {Layout::kNChw8c, Layout::kNChw16c}) {
    // All inputs blocked, then each of them alone.
    for (std::size_t alone = 0; alone <= (candidates.size() > 1 ? candidates.size() : 0); ++alone) {
      std::vector<Tensor> inputs = clones(run.inputs);
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        if (alone > 0 && c != alone - 1) continue;
        convert_layout(run.inputs[candidates[c]], layout, inputs[candidates[c]]);
      }
      const std::string what = std::string(to_string(layout)) +
                               (alone == 0 ? " inputs" : " input " + std::to_string(candidates[alone - 1]) + " alone");
      BoundOp op(run.def, Engine::kDevice, one.setup);
      op.run(inputs);
      op.poison_outputs();
      const std::vector<Tensor> outputs = op.run(inputs);
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        expect_close(outputs[o], plain[o], one.tolerance, what + ", output " + std::to_string(o));
        expect_zero_padding(outputs[o], what + ", output " + std::to_string(o));
      }
    }
  }
}

void check_in_place(const OpCase& one, const OpRun& run) {
  const OpSchema& schema = all_operators().find(run.def.type());
  const std::vector<Tensor> apart = BoundOp(run.def, Engine::kDevice, one.setup).run(run.inputs);
  for (int input = 0; input < run.def.input_size(); ++input) {
    for (int output = 0; output < run.def.output_size(); ++output) {
      if (!schema.may_be_in_place(input, output)) continue;
      OperatorDef def = run.def;
      def.set_output(output, def.input(input));
      const std::vector<Tensor> outputs = BoundOp(def, Engine::kDevice, one.setup).run(run.inputs);
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        expect_same_bits(outputs[o], apart[o],
                         "in place, output " + std::to_string(output) + " on input " + std::to_string(input));
      }
    }
  }
}

void check_determinism(const OpCase& one, const OpRun& run) {
  BoundOp op(run.def, Engine::kDevice, one.setup);
  const std::vector<Tensor> first = op.run(run.inputs);
  op.poison_outputs();
  const std::vector<Tensor> second = op.run(run.inputs);
  for (std::size_t o = 0; o < first.size(); ++o) {
    expect_same_bits(second[o], first[o], "second run over stale outputs, output " + std::to_string(o));
  }
}

void check_shape_changes(const OpCase& one) {
  BoundOp op(forward_def(one), Engine::kDevice, one.setup);
  const std::vector<Tensor> first = op.run(one.inputs);
  for (const std::vector<Tensor>& variant : one.variants) {
    const std::vector<Tensor> fresh = BoundOp(forward_def(one), Engine::kDevice, one.setup).run(variant);
    const std::vector<Tensor> reused = op.run(variant);
    for (std::size_t o = 0; o < fresh.size(); ++o) expect_same_bits(reused[o], fresh[o], "after another shape");
  }
  const std::vector<Tensor> last = op.run(one.inputs);
  for (std::size_t o = 0; o < first.size(); ++o) expect_same_bits(last[o], first[o], "back to the first shape");
}

void check_errors(const OpCase& one) {
  for (const BadCase& bad : one.errors) {
    const std::vector<Tensor>& inputs = bad.inputs ? *bad.inputs : one.inputs;
    OperatorDef def = forward_def(one);
    def.clear_input();
    for (std::size_t i = 0; i < inputs.size(); ++i) def.add_input("x" + std::to_string(i));
    if (bad.outputs) {
      def.clear_output();
      for (int o = 0; o < *bad.outputs; ++o) def.add_output("y" + std::to_string(o));
    }
    if (bad.args) def.mutable_arg()->Assign(bad.args->begin(), bad.args->end());
    try {
      BoundOp(def, Engine::kDevice, one.setup).run(inputs);
      ADD_FAILURE() << "no error; wanted one with '" << bad.expected << "'";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(bad.expected), std::string::npos)
          << "wanted an error with '" << bad.expected << "', got: " << error.what();
    }
  }
}

}  // namespace lockstep
