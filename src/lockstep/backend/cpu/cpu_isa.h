// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// The instruction set that oneDNN's kernels use: the lower of what the processor has and what pin_isa
// allows, such as "avx2" or "avx512_core_bf16". It decides the bits of results, so it belongs in run.json.
// Asking fixes the choice: pin_isa is refused afterwards.
std::string effective_isa();

// The names that pin_isa takes (SOLVER.CPU_ISA), lowest first.
std::vector<std::string> isa_names();

// Lets oneDNN use at most the instruction set `name` in this process. Must come before the first
// primitive and before effective_isa(). An unknown name, or coming too late, is kConfig.
void pin_isa(const std::string& name);

// The version of oneDNN that runs, such as "2.6.3"; it decides bits, too.
std::string dnnl_version_text();

}  // namespace lockstep
