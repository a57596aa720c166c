// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/log.h"

#include <mutex>

namespace lockstep {
namespace {

std::mutex& sink_mutex() {
  static std::mutex mutex;
  return mutex;
}

LogSink& current_sink() {
  static LogSink sink;
  return sink;
}

}  // namespace

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarning: return "warning";
    case LogLevel::kError: return "error";
  }
  return "info";
}

LogSink set_log_sink(LogSink sink) {
  std::lock_guard lock(sink_mutex());
  return std::exchange(current_sink(), std::move(sink));
}

void log_line(LogLevel level, std::string_view area, std::string_view text) {
  std::lock_guard lock(sink_mutex());
  if (current_sink()) current_sink()(level, area, text);
}

}  // namespace lockstep
