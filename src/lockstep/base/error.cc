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

namespace {

// Messages quote texts of the user's: a NUL would end what() early, other control characters would act on a terminal.
std::string printable(const std::string& text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
    if (is_control) {
      out.append("\\x").append(1, kHex[byte / 16]).append(1, kHex[byte % 16]);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

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
  text_ = printable(message_);
  for (const std::string& note : notes_) text_ += "\n  " + printable(note);
  if (kind_ == ErrorKind::kInternal) {
    text_ += "\n  at ";
    text_ += where_.file_name();
    text_ += ":" + std::to_string(where_.line());
  }
}

}  // namespace lockstep
