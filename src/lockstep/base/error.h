// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// The closed set of error kinds. The kind decides the exit code of the program (exit_code).
enum class ErrorKind {
  kConfig,       // a config file, a command-line argument or a combination of settings
  kGraph,        // a net that is not well formed
  kShape,        // a tensor of another shape, type or layout than an operator accepts
  kUnsupported,  // a valid request that this build cannot serve
  kData,         // annotations, images, weights or results given by the user
  kIo,           // the operating system refused to read or write
  kDevice,       // memory, threads or a device
  kNumeric,      // a value that is not finite
  kInternal,     // a fault of Lockstep itself
};

// The kind as one lower-case word, such as "config".
std::string_view to_string(ErrorKind kind);

// 1 for kInternal, kGraph and kShape; 2 for what the user gave (kConfig, kUnsupported, kData,
// kNumeric); 3 for the environment (kIo, kDevice).
int exit_code(ErrorKind kind);

// The one error type of the library. A message says what was found, what was wanted, where, and
// what to do next. Context is added on the way up: the innermost note comes first.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string message, std::source_location where = std::source_location::current());

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::source_location& where() const { return where_; }

  // Adds a line such as "in op Conv 'res2.0.conv1' of net 'step'".
  Error& add_note(std::string note);

  // The message followed by one indented line per note; internal errors also name the source line.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  void compose();

  ErrorKind kind_;
  std::string message_;
  std::vector<std::string> notes_;
  std::source_location where_;
  std::string text_;
};

}  // namespace lockstep
