// SPDX-License-Identifier: Apache-2.0
#include "apps/program.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sstream>
#include <system_error>
#include <thread>

namespace lockstep::test {
namespace {

// A file without a name: tests that run at once in one folder cannot meet in it.
int anonymous_file(const char* what) {
  const int file = ::memfd_create(what, MFD_CLOEXEC);
  if (file < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  return file;
}

void limit_resource(__rlimit_resource resource, std::size_t bytes) {
  if (bytes == 0) return;
  const rlimit limit{bytes, bytes};
  ::setrlimit(resource, &limit);
}

std::string contents(int file) {
  std::string text(static_cast<std::size_t>(::lseek(file, 0, SEEK_END)), '\0');
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  if (count != static_cast<ssize_t>(text.size())) throw std::system_error(errno, std::generic_category(), "pread");
  return text;
}

}  // namespace

std::string Ended::last_line() const {
  std::string last;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

Running::Running(const std::filesystem::path& folder, const std::vector<std::string>& words, const Limits& limits)
    : out_(anonymous_file("stdout")), err_(anonymous_file("stderr")) {
  std::vector<std::string> all = {LOCKSTEP_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = ::fork();
  if (child_ != 0) return;
  if (::chdir(folder.c_str()) != 0) ::_exit(120);
  ::dup2(out_, STDOUT_FILENO);
  ::dup2(err_, STDERR_FILENO);
  limit_resource(RLIMIT_AS, limits.address_space);
  limit_resource(RLIMIT_FSIZE, limits.file_size);
  ::execv(argv[0], argv.data());
  ::_exit(121);
}

Running::~Running() {
  ::close(out_);
  ::close(err_);
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
  ended.out = contents(out_);
  ended.err = contents(err_);
  return ended;
}

Ended run_lockstep(const std::filesystem::path& folder, const std::vector<std::string>& words, const Limits& limits) {
  return Running(folder, words, limits).wait();
}

}  // namespace lockstep::test
