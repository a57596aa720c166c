// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/graph/kernel.h"
#include "lockstep/graph/net.pb.h"
#include "lockstep/graph/op_args.h"
#include "lockstep/tensor/shape.h"

namespace lockstep {

// What is known of a tensor before it exists: a size of -1 is not known.
struct TensorInfo {
  DType dtype = DType::kF32;
  Shape shape;
  bool operator==(const TensorInfo&) const = default;
};
std::string to_string(const TensorInfo& info);  // "f32[2,?,56,56]"

// What shape inference sees. The helpers throw kShape with the input's name, what was found and what was wanted.
class InferContext {
 public:
  InferContext(const class OpSchema& schema, const OpArgs& args, const std::vector<TensorInfo>& inputs,
               int output_count, DType real)
      : schema_(schema), args_(args), inputs_(inputs), output_count_(output_count), real_(real) {}

  const OpArgs& args() const { return args_; }
  int input_count() const { return static_cast<int>(inputs_.size()); }
  int output_count() const { return output_count_; }
  const TensorInfo& input(int i) const { return inputs_[static_cast<std::size_t>(i)]; }
  std::int64_t dim(int i, int axis) const { return input(i).shape[static_cast<std::size_t>(axis)]; }
  DType real() const { return real_; }  // f32, or f64 on the reference engine

  void require_rank(int i, int rank) const;
  void require_dtype(int i, DType dtype) const;
  void require_real(int i) const { require_dtype(i, real_); }
  // Axis of input i has this size; either being unknown (-1) passes. `what` explains the wanted size.
  void require_dim(int i, int axis, std::int64_t size, const std::string& what) const;
  void require_same_shape(int i, int j) const;  // unknown sizes match anything

 private:
  const OpSchema& schema_;
  const OpArgs& args_;
  const std::vector<TensorInfo>& inputs_;
  int output_count_;
  DType real_;
};

using InferFunction = std::function<std::vector<TensorInfo>(const InferContext&)>;

// What a gradient rule sees: names only, never data.
class GradientContext {
 public:
  GradientContext(const OperatorDef& op, std::vector<std::string> output_gradients, std::vector<bool> needed)
      : op_(op), output_gradients_(std::move(output_gradients)), needed_(std::move(needed)) {}

  const OperatorDef& op() const { return op_; }
  const std::string& input(int i) const { return op_.input(i); }
  const std::string& output(int i) const { return op_.output(i); }
  int input_count() const { return op_.input_size(); }
  int output_count() const { return op_.output_size(); }
  // The blob with the gradient of output i; empty when nothing downstream needs it.
  const std::string& output_gradient(int i) const { return output_gradients_[static_cast<std::size_t>(i)]; }
  // Whether anything trainable lies behind input i; a rule skips the work for an input that is not needed.
  bool needs_gradient(int i) const { return needed_[static_cast<std::size_t>(i)]; }
  // The name a rule writes the gradient of input i to. Only the name it has in the rule: where several
  // operators read a blob, the pass renames it.
  std::string input_gradient(int i) const;

  // A gradient op that carries the arguments and device of the forward op.
  OperatorDef make(const std::string& type, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs) const;

 private:
  const OperatorDef& op_;
  std::vector<std::string> output_gradients_;
  std::vector<bool> needed_;
};

struct Gradients {
  std::vector<OperatorDef> ops;
  std::vector<std::string> input_gradients;  // per input of the forward op; empty where there is none
};
using GradientRule = std::function<Gradients(const GradientContext&)>;

// The tensors that one run of an operator works on, before they exist. All sizes are known.
struct OpSizes {
  const OpArgs& args;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  std::vector<Layout> layouts;  // of the inputs, as they lie in memory
};

// Floating-point operations of one run; a multiplication with an addition counts as two.
using FlopsFunction = std::function<double(const OpSizes&)>;

// Which kernel a device takes for an operator, and why.
struct KernelChoice {
  std::string kernel;                      // such as "brgconv:avx512_core", as the library calls it
  std::string reason;                      // what decided
  std::vector<Layout> layouts;             // of the outputs
  std::vector<std::size_t> scratch_bytes;  // per work area of the device
};
using KernelChooser = std::function<KernelChoice(DeviceContext&, const OpSizes&)>;

// Which layouts of 4-axis tensors the kernels take.
enum class LayoutRule {
  kPlain,  // inputs are converted to plain first, outputs are plain
  kSame,   // every input and output has the layout of input 0
  kOwn,    // the kernel reads any layout and gives its outputs type, shape and layout itself
};

// The declaration of one operator: documentation, arguments, shapes, gradient and kernels. It is the
// only place where a default stands.
class OpSchema {
 public:
  struct Slot {
    std::string name;
    std::string doc;
  };
  struct Arg {
    std::string name;
    ArgValue default_value;
    std::string doc;
    bool required = false;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };

  explicit OpSchema(std::string type) : type_(std::move(type)) {}

  OpSchema& doc(std::string text);
  OpSchema& input(std::string name, std::string text);
  OpSchema& output(std::string name, std::string text);
  OpSchema& optional_inputs(int count);    // the last `count` inputs may be absent
  OpSchema& optional_outputs(int count);   // the last `count` outputs may be absent
  OpSchema& variadic_inputs(int minimum);  // the last declared input may repeat; total >= minimum
  OpSchema& variadic_outputs(int minimum);
  OpSchema& arg(std::string name, ArgValue default_value, std::string text);
  OpSchema& required_arg(std::string name, ArgValue kind_example, std::string text);
  OpSchema& range(double low, double high);   // of the argument declared last (numbers and lists of numbers)
  OpSchema& in_place(int input, int output);  // allowed, not required
  OpSchema& in_place_any();                   // any output may overwrite any input
  OpSchema& layouts(LayoutRule rule);
  OpSchema& infer(InferFunction function);
  OpSchema& flops(FlopsFunction function);
  OpSchema& flops_per_output(double count);   // for every element of output 0
  OpSchema& chooser(KernelChooser function);  // for operators whose kernel or layouts depend on the sizes
  OpSchema& gradient(GradientRule rule);
  OpSchema& no_gradient(std::string reason);
  OpSchema& cpu(KernelFactory factory);
  OpSchema& reference(KernelFactory factory);

  const std::string& type() const { return type_; }
  const std::string& documentation() const { return doc_; }
  const std::vector<Slot>& inputs() const { return inputs_; }
  const std::vector<Slot>& outputs() const { return outputs_; }
  const std::vector<Arg>& args() const { return args_; }
  LayoutRule layout_rule() const { return layout_rule_; }
  bool has_infer() const { return static_cast<bool>(infer_); }
  // Nothing when the work depends on the data.
  std::optional<double> flops_of(const OpSizes& sizes) const;
  KernelChoice choose_kernel(DeviceContext& device, const OpSizes& sizes) const;
  bool has_gradient() const { return static_cast<bool>(gradient_); }
  const std::string& no_gradient_reason() const { return no_gradient_reason_; }
  bool may_be_in_place(int input, int output) const { return in_place_any_ || in_place_.contains({input, output}); }
  bool may_be_in_place_anywhere() const { return in_place_any_; }
  const std::set<std::pair<int, int>>& in_place_pairs() const { return in_place_; }
  const KernelFactory& kernel(Engine engine) const { return engine == Engine::kDevice ? cpu_ : reference_; }
  std::string input_name(int i) const;  // repeats of a variadic input are numbered
  std::string output_name(int i) const;

  // Checks the arguments of `op` and fills in the defaults. All problems are named at once (kGraph).
  OpArgs resolve(const OperatorDef& op) const;
  // The problems with counts of inputs and outputs and with in-place use; empty when there are none.
  std::vector<std::string> check_blobs(const OperatorDef& op) const;
  // Types and shapes of the outputs, checking those of the inputs.
  std::vector<TensorInfo> infer_outputs(const OpArgs& args, const std::vector<TensorInfo>& inputs, int output_count,
                                        DType real) const;
  Gradients make_gradients(const GradientContext& context) const;  // kGraph when the schema has no rule

 private:
  std::string type_;
  std::string doc_;
  std::vector<Slot> inputs_;
  std::vector<Slot> outputs_;
  std::vector<Arg> args_;
  int minimum_inputs_ = 0;
  int minimum_outputs_ = 0;
  bool variadic_inputs_ = false;
  bool variadic_outputs_ = false;
  std::set<std::pair<int, int>> in_place_;
  bool in_place_any_ = false;
  LayoutRule layout_rule_ = LayoutRule::kPlain;
  InferFunction infer_;
  FlopsFunction flops_;
  KernelChooser chooser_;
  GradientRule gradient_;
  std::string no_gradient_reason_;
  KernelFactory cpu_;
  KernelFactory reference_;
};

// Inference for the common case: one output of the type and shape of input 0.
std::vector<TensorInfo> same_as_first_input(const InferContext& context);

}  // namespace lockstep
