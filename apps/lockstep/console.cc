// SPDX-License-Identifier: Apache-2.0
#include "console.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/base/log.h"

namespace lockstep::app {
namespace {

constexpr const char* kPattern = "%H:%M:%S %^%v%$";
constexpr const char* kFilePattern = "%Y-%m-%d %H:%M:%S.%e %v";

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::info;
}

}  // namespace

class Console::Impl {
 public:
  Impl() : screen_(std::make_shared<spdlog::sinks::stderr_color_sink_mt>()), is_terminal_(isatty(STDERR_FILENO) == 1) {
    screen_->set_pattern(kPattern);
    screen_->set_color(spdlog::level::info, "");  // ordinary lines in the terminal's own colour
  }

  void line(spdlog::level::level_enum level, const std::string& text) {
    std::lock_guard lock(mutex_);
    const spdlog::details::log_msg message("", level, text);
    if (closed_) return;
    if (level >= (quiet_ ? spdlog::level::warn : spdlog::level::info)) {
      erase_status();
      screen_->log(message);
    }
    to_file(message);
  }

  void open(const std::string& path, bool append) {
    std::lock_guard lock(mutex_);
    try {
      file_ = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, !append);
      file_->set_pattern(kFilePattern);
      for (const auto& [level, text] : early_) file_->log({"", level, text});
      file_->flush();
    } catch (const spdlog::spdlog_ex& error) {
      LS_THROW(kIo, "cannot write {}: {}", path, error.what());
    }
    early_.clear();
  }

  void status(const std::string& text) {
    if (!is_terminal_) return;
    std::lock_guard lock(mutex_);
    if (closed_ || quiet_) return;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
    status_shown_ = true;
  }

  void failure(const std::string& message, const std::string& notes) {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    erase_status();
    const std::string text = notes + "lockstep: " + message;
    std::fprintf(stderr, "%s\n", text.c_str());
    if (file_) to_file({"", spdlog::level::err, text});
  }

  void keep_quiet() {
    std::lock_guard lock(mutex_);
    quiet_ = true;
  }

  void lost_rank(const std::string& cause, const std::string& pending, const std::string& log_file) {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    erase_status();
    const std::string text = pending + "\nlockstep: " + cause + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    std::FILE* file = std::fopen(log_file.c_str(), "r+");  // only if there is a log already
    if (file == nullptr) return;
    std::fseek(file, 0, SEEK_END);
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }

  bool is_terminal() const { return is_terminal_; }

 private:
  void to_file(const spdlog::details::log_msg& message) {
    if (!file_) {
      early_.emplace_back(message.level, std::string(message.payload.data(), message.payload.size()));
      return;
    }
    try {
      file_->log(message);
      file_->flush();
    } catch (const spdlog::spdlog_ex& error) {
      file_.reset();  // a full disk must not end a run through its log; the checkpoint will say so
      std::fprintf(stderr, "lockstep: log.txt ends here: %s\n", error.what());
    }
  }

  void erase_status() {
    if (status_shown_) std::fputs("\r\033[K", stderr);
    status_shown_ = false;
  }

  std::mutex mutex_;
  std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> screen_;  // spdlog wants to share its sinks
  std::shared_ptr<spdlog::sinks::basic_file_sink_mt> file_;
  std::vector<std::pair<spdlog::level::level_enum, std::string>> early_;
  bool is_terminal_;
  bool status_shown_ = false;
  bool quiet_ = false;
  bool closed_ = false;  // the last line has been written
};

Console::Console() : impl_(std::make_unique<Impl>()) {
  set_log_sink([impl = impl_.get()](LogLevel level, std::string_view area, std::string_view text) {
    const std::string mark = level >= LogLevel::kWarning ? std::string(to_string(level)) + ": " : "";
    impl->line(level_of(level), fmt::format("{}: {}{}", area, mark, text));
  });
}
Console::~Console() { set_log_sink({}); }

void Console::open_log(const std::string& path, bool append) { impl_->open(path, append); }
void Console::status(const std::string& text) { impl_->status(text); }
bool Console::shows_status() const { return impl_->is_terminal(); }
void Console::failure(const std::string& message, const std::string& notes) { impl_->failure(message, notes); }
void Console::keep_quiet() { impl_->keep_quiet(); }
void Console::lost_rank(const std::string& cause, const std::string& pending, const std::string& log_file) {
  impl_->lost_rank(cause, pending, log_file);
}

}  // namespace lockstep::app
