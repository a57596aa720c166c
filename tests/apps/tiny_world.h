// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "apps/program.h"

namespace lockstep::test {

// A folder with a synthetic data set of 20 images in data/ and a recipe tiny.yaml for it that trains in less than a
// second.
class TinyWorld : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Ended lockstep(const std::vector<std::string>& words) const { return run_lockstep(folder_, words); }
  // lockstep train --config-file tiny.yaml --out run WORDS...
  Ended train(std::vector<std::string> words) const;
  std::vector<std::string> train_words(std::vector<std::string> words) const;

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;
  // Names of files that a writer left unfinished.
  std::vector<std::string> half_written_files() const;

  std::filesystem::path folder_;
};

}  // namespace lockstep::test
