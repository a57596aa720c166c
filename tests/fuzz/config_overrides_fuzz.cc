// SPDX-License-Identifier: Apache-2.0
// Any words as overrides, one per line: they apply and the config survives being printed and read again, or the error
// is the user's and the config is as before.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_check.h"
#include "lockstep/base/error.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/load.h"

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using lockstep::testing::fuzz_check;
  lockstep::Config config;
  try {
    lockstep::apply_overrides(config, lines_of({reinterpret_cast<const char*>(data), size}));
  } catch (const lockstep::Error& error) {
    fuzz_check(error.kind() == lockstep::ErrorKind::kConfig, "an error of kind config");
    fuzz_check(std::string_view(error.what()).find("override") != std::string_view::npos, "the place of the override");
    fuzz_check(config.set_keys.empty(), "an untouched config after an error");
    return 0;
  }
  const std::string text = lockstep::to_yaml(config);
  fuzz_check(lockstep::to_yaml(lockstep::config_from_yaml(text)) == text, "the same config from its own text");
  return 0;
}
