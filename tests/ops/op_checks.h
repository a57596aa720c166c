// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/bound_op.h"
#include "ops/op_case.h"

namespace lockstep {

// One run of one operator that a case leads to: the forward operator or one that its gradient rule made.
struct OpRun {
  OperatorDef def;
  std::vector<Tensor> inputs;  // reals are doubles with values of floats
};

// The runs of a case on the reference engine, forward first.
struct CaseRuns {
  std::vector<OpRun> runs;
  std::vector<Tensor> projection;   // per output: the gradient that was fed; empty where there is none
  std::map<int, Tensor> gradients;  // by input: the analytic gradient
};

// `needed` are the inputs that ask for a gradient.
CaseRuns run_case(const OpCase& one, const std::vector<Tensor>& inputs, const std::vector<int>& needed);
OperatorDef forward_def(const OpCase& one);

// Each check reports through GoogleTest.
void expect_close(const Tensor& found, const Tensor& wanted, double tolerance, const std::string& what);
void expect_same_bits(const Tensor& found, const Tensor& wanted, const std::string& what);
void check_value(const OpCase& one, const OpRun& run);        // f32 kernel against the double reference
void check_inference(const OpCase& one, const OpRun& run);    // inferred shapes are those the kernel made
void check_layouts(const OpCase& one, const OpRun& run);      // blocked inputs give the plain result, padding is 0
void check_in_place(const OpCase& one, const OpRun& run);     // every declared pair, against out of place
void check_determinism(const OpCase& one, const OpRun& run);  // bit-equal runs, stale outputs do not matter
void check_finite_differences(const OpCase& one, const std::vector<Tensor>& inputs);
void check_needed_subsets(const OpCase& one, const std::vector<Tensor>& inputs);  // one gradient asked for at a time
void check_shape_changes(const OpCase& one);  // one operator object, the variants in turn and back
void check_errors(const OpCase& one);

}  // namespace lockstep
