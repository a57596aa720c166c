// SPDX-License-Identifier: Apache-2.0
#include "lockstep/backend/cpu/cpu_isa.h"

#include <fmt/format.h>

#include <array>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// The many-core sets (avx512_mic) are left out: no such machine is supported any more.
constexpr std::array<std::pair<const char*, dnnl::cpu_isa>, 8> kSets = {{
    {"sse41", dnnl::cpu_isa::sse41},
    {"avx", dnnl::cpu_isa::avx},
    {"avx2", dnnl::cpu_isa::avx2},
    {"avx2_vnni", dnnl::cpu_isa::avx2_vnni},
    {"avx512_core", dnnl::cpu_isa::avx512_core},
    {"avx512_core_vnni", dnnl::cpu_isa::avx512_core_vnni},
    {"avx512_core_bf16", dnnl::cpu_isa::avx512_core_bf16},
    {"avx512_core_amx", dnnl::cpu_isa::avx512_core_amx},
}};

}  // namespace

std::string effective_isa() {
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  for (const auto& [name, value] : kSets) {
    if (value == isa) return name;
  }
  return fmt::format("isa_{:#x}", static_cast<unsigned>(isa));
}

std::vector<std::string> isa_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : kSets) names.emplace_back(name);
  return names;
}

void pin_isa(const std::string& name) {
  for (const auto& [known, value] : kSets) {
    if (name != known) continue;
    const dnnl::status status = dnnl::set_max_cpu_isa(value);
    // The choice is made once per process; asking for what is in force already is no change.
    LS_CHECK(kConfig, status == dnnl::status::success || effective_isa() == name,
             "the instruction set cannot be pinned to '{}' any more: kernels were made for {} already; set "
             "SOLVER.CPU_ISA before anything is computed in this process",
             name, effective_isa());
    return;
  }
  LS_THROW(kConfig, "SOLVER.CPU_ISA '{}' is no instruction set; known are {}", name, fmt::join(isa_names(), ", "));
}

std::string dnnl_version_text() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace lockstep
