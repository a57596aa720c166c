// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

std::string_view to_string(LogLevel level);

// Receives every log line of the process. `area` is the room or activity, such as "data".
using LogSink = std::function<void(LogLevel level, std::string_view area, std::string_view text)>;

// Replaces the process's sink and returns the one before. The library itself prints nothing: without
// a sink, lines are dropped. The sink is called under a lock, from any thread.
LogSink set_log_sink(LogSink sink);

void log_line(LogLevel level, std::string_view area, std::string_view text);

template <typename... Args>
void log_info(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::kInfo, area, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log_warning(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::kWarning, area, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log_debug(std::string_view area, fmt::format_string<Args...> format, Args&&... args) {
  log_line(LogLevel::kDebug, area, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace lockstep
