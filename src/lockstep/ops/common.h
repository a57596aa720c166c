// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockstep/graph/schema.h"

namespace lockstep {

// The reason that every gradient operator gives for having no gradient itself.
inline constexpr char kNoSecondDerivative[] = "second derivatives are not needed to train";

// What a rule returns when nothing flows back.
inline Gradients no_gradients(const GradientContext& context) {
  return {{}, std::vector<std::string>(static_cast<std::size_t>(context.input_count()))};
}

// A kernel of ours that reads any layout and writes all outputs in `layout`.
inline KernelChoice own_kernel_in(Layout layout, const OpSizes& sizes) {
  const std::string reason = "reads any layout, writes " + std::string(to_string(layout));
  return {"own", reason, std::vector<Layout>(sizes.outputs.size(), layout), {}};
}

}  // namespace lockstep
