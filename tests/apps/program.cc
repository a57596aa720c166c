// SPDX-License-Identifier: Apache-2.0
#include "apps/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

namespace lockstep::test {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void open_as(const std::filesystem::path& path, int descriptor) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::dup2(file, descriptor);
}

}  // namespace

std::string Ended::last_line() const {
  std::string last;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

Running::Running(const std::filesystem::path& folder, const std::vector<std::string>& words, std::size_t memory_limit)
    : folder_(folder) {
  std::vector<std::string> all = {LOCKSTEP_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = ::fork();
  if (child_ != 0) return;
  if (::chdir(folder.c_str()) != 0) ::_exit(120);
  open_as("stdout.txt", STDOUT_FILENO);
  open_as("stderr.txt", STDERR_FILENO);
  if (memory_limit > 0) {
    const rlimit limit{memory_limit, memory_limit};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ::execv(argv[0], argv.data());
  ::_exit(121);
}

Running::~Running() {
  if (ended_) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, &status_, 0);
}

void Running::signal(int number) const { ::kill(child_, number); }

bool Running::runs() {
  if (!ended_) ended_ = ::waitpid(child_, &status_, WNOHANG) == child_;
  return !ended_;
}

Ended Running::wait() {
  using namespace std::chrono_literals;
  Ended ended;
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (runs() && !ended.hung) {
    std::this_thread::sleep_for(5ms);
    ended.hung = std::chrono::steady_clock::now() > deadline;
  }
  if (ended.hung) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &status_, 0);
    ended_ = true;
  }
  ended.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  ended.out = contents(folder_ / "stdout.txt");
  ended.err = contents(folder_ / "stderr.txt");
  return ended;
}

Ended run_lockstep(const std::filesystem::path& folder, const std::vector<std::string>& words,
                   std::size_t memory_limit) {
  return Running(folder, words, memory_limit).wait();
}

}  // namespace lockstep::test
