// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace lockstep::app {

// What people see: log lines and one line of progress on stderr, and the run directory's log.txt. While it lives, it
// is the process's log sink. Thread-safe.
class Console {
 public:
  Console();
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  // From here on all lines go to this file too, those so far first. kIo when it cannot be written.
  void open_log(const std::string& path, bool append);

  // On a terminal, shows one line that the next status or log line replaces; elsewhere does nothing.
  void status(const std::string& text);
  bool shows_status() const;

  // The end of a failed run: the error's notes, then its message as the last line.
  void failure(const std::string& message, const std::string& notes);

  // For all but one of several processes: only warnings and failures reach the screen from here on.
  void keep_quiet();

  // The end of a job that lost a rank: what this process waited for, then the cause as the last line, on the screen and
  // in `log_file`. Nothing is written after it.
  void lost_rank(const std::string& cause, const std::string& pending, const std::string& log_file);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep::app
