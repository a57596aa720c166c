// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/backend/cpu/dnnl_ops.h"
#include "lockstep/tensor/tensor.h"

// Private to backend/cpu: nothing outside includes oneDNN.
namespace lockstep {

// A oneDNN primitive together with the conversions between the layouts of our tensors and those that
// the primitive wants. Holds no data; running it uses the device's scratch memory only.
class DnnlPlan {
 public:
  struct Port {
    int argument;             // DNNL_ARG_*
    dnnl::memory::desc desc;  // how our tensor lies in memory
  };

  // `primitive` must have been described with user-mode scratchpad (see user_scratchpad).
  DnnlPlan(const dnnl::primitive_desc_base& primitive, const std::vector<Port>& inputs,
           const std::vector<Port>& outputs);

  // `data` are the tensors' memory: inputs, then outputs.
  void run(CpuDevice& device, const std::vector<void*>& data) const;

  std::size_t bytes() const;  // estimated size of code and descriptors
  DnnlReport report() const;

  Layout layout = Layout::kPlain;  // of the output whose layout oneDNN was free to choose

 private:
  struct Slot {
    int argument;
    dnnl::memory::desc ours;
    dnnl::memory::desc wanted;
    dnnl::primitive convert;  // empty when `ours` is what the primitive wants
    bool output;
  };
  void add_slot(const dnnl::primitive_desc_base& primitive, const Port& port, bool output);

  dnnl::primitive primitive_;
  std::string implementation_;
  dnnl::memory::desc scratchpad_;
  std::vector<Slot> slots_;
};

dnnl::engine& cpu_engine();
dnnl::primitive_attr user_scratchpad();

// A descriptor of 4-axis f32 data in one of our layouts, or one that leaves the layout to oneDNN.
dnnl::memory::desc image_desc(const Shape& shape, Layout layout, DType dtype = DType::kF32);
dnnl::memory::desc any_desc(const Shape& shape);
// Row-major data of 1, 2, 4 or 5 axes.
dnnl::memory::desc plain_desc(const Shape& shape, DType dtype = DType::kF32);
// Which of our layouts a descriptor of 4 axes is; none when oneDNN chose another.
std::optional<Layout> layout_of(const dnnl::memory::desc& desc);

// Runs `work`, turning oneDNN's errors into ours: out of memory is kDevice, anything else kInternal.
// `what` names the operation and its shapes.
void translate_dnnl_errors(const std::function<std::string()>& what, const std::function<void()>& work);

// The kinds of plans, first number of every key.
enum class PlanKind : std::int64_t {
  kConvolutionForward,
  kConvolutionData,
  kConvolutionWeights,
  kInnerProductForward,
  kInnerProductData,
  kInnerProductWeights,
  kPoolForward,
  kPoolBackward,
  kReorder,
};

// A key that starts with the kind, the device's threads and the instruction set.
PrimitiveKey plan_key(PlanKind kind, const CpuDevice& device);
void append(PrimitiveKey& key, const Shape& shape);
void append(PrimitiveKey& key, Layout layout);

// The device's plan under `key`, made by `make` when it is not there, then run on `data`.
std::shared_ptr<const DnnlPlan> find_plan(CpuDevice& device, const PrimitiveKey& key,
                                          const std::function<std::string()>& what,
                                          const std::function<std::shared_ptr<DnnlPlan>()>& make);
void run_plan(CpuDevice& device, const DnnlPlan& plan, const std::function<std::string()>& what,
              const std::vector<const void*>& inputs, const std::vector<void*>& outputs);

}  // namespace lockstep
