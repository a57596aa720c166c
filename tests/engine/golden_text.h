// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lockstep {

// Compares a text with tests/<folder>/<name>; LOCKSTEP_UPDATE_GOLDENS=1 writes the file instead.
inline void expect_golden_text(const std::string& folder, const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests" / folder / name;
  if (std::getenv("LOCKSTEP_UPDATE_GOLDENS") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path << " is absent; run with LOCKSTEP_UPDATE_GOLDENS=1 and read what it wrote";
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

}  // namespace lockstep
