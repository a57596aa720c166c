// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// Collects what is wrong with a config, so that everything is reported at once.
class ConfigProblems {
 public:
  void add(std::string problem) { problems_.push_back(std::move(problem)); }

  // Throws one kConfig error that lists all problems; does nothing when there are none. `subject` is the file or
  // "the overrides".
  void throw_if_any(const std::string& subject) const;

  const std::vector<std::string>& list() const { return problems_; }

 private:
  std::vector<std::string> problems_;
};

}  // namespace lockstep
