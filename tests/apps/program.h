// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::test {

// How a run of the program ended.
struct Ended {
  int exit_code = -1;  // minus the signal's number when one killed it
  bool hung = false;   // it was killed after a minute
  std::string out, err;

  std::string last_line() const;  // of stderr
};

// What the system grants a run of the program; 0 for no limit.
struct Limits {
  std::size_t address_space = 0;  // bytes
  std::size_t file_size = 0;      // bytes
};

// The program `lockstep`, running in a folder.
class Running {
 public:
  Running(const std::filesystem::path& folder, const std::vector<std::string>& words, const Limits& limits = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void signal(int number) const;
  bool runs();
  Ended wait();

 private:
  int out_, err_;  // descriptors of what it wrote
  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

Ended run_lockstep(const std::filesystem::path& folder, const std::vector<std::string>& words,
                   const Limits& limits = {});

}  // namespace lockstep::test
