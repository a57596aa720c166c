// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/error.h"

#include <utility>

namespace lockstep {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kConfig: return "config";
    case ErrorKind::kGraph: return "graph";
    case ErrorKind::kShape: return "shape";
    case ErrorKind::kUnsupported: return "unsupported";
    case ErrorKind::kData: return "data";
    case ErrorKind::kIo: return "io";
    case ErrorKind::kDevice: return "device";
    case ErrorKind::kNumeric: return "numeric";
    case ErrorKind::kInternal: return "internal";
  }
  return "internal";
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kConfig:
    case ErrorKind::kUnsupported:
    case ErrorKind::kData:
    case ErrorKind::kNumeric: return 2;
    case ErrorKind::kIo:
    case ErrorKind::kDevice: return 3;
    case ErrorKind::kGraph:
    case ErrorKind::kShape:
    case ErrorKind::kInternal: return 1;
  }
  return 1;
}

Error::Error(ErrorKind kind, std::string message, std::source_location where)
    : std::runtime_error(message), kind_(kind), message_(std::move(message)), where_(where) {
  compose();
}

Error& Error::add_note(std::string note) {
  notes_.push_back(std::move(note));
  compose();
  return *this;
}

void Error::compose() {
  text_ = message_;
  for (const std::string& note : notes_) text_ += "\n  " + note;
  if (kind_ == ErrorKind::kInternal) {
    text_ += "\n  at ";
    text_ += where_.file_name();
    text_ += ":" + std::to_string(where_.line());
  }
}

}  // namespace lockstep
