// SPDX-License-Identifier: Apache-2.0
// Any text as a config file: it loads and survives being printed and read again, or the error is the user's and
// begins with the name of the file.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz_check.h"
#include "lockstep/base/error.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/load.h"
#include "lockstep/config/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using lockstep::testing::fuzz_check;
  const std::string file_name = "no_such_folder/fuzz.yaml";
  lockstep::Config config;
  try {
    config = lockstep::config_from_yaml({reinterpret_cast<const char*>(data), size}, file_name);
  } catch (const lockstep::Error& error) {
    fuzz_check(lockstep::exit_code(error.kind()) != 1, "an error of the user");
    fuzz_check(std::string_view(error.what()).find(file_name) != std::string_view::npos, "the name of the file");
    return 0;
  }
  const std::string text = lockstep::to_yaml(config);
  fuzz_check(lockstep::to_yaml(lockstep::config_from_yaml(text)) == text, "the same config from its own text");
  fuzz_check(lockstep::to_yaml(lockstep::config_from_yaml(lockstep::diff_yaml(config))) == text,
             "the same config from its differences");
  lockstep::unsupported_values(config);
  lockstep::unused_values(config);
  return 0;
}
