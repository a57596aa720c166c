// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/base/error.h"
#include "lockstep/base/log.h"
#include "lockstep/data/image.h"

namespace lockstep {

// A folder of its own for each test, removed afterwards.
class TempDir {
 public:
  TempDir() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() / (std::string("lockstep_") + test->test_suite_name() + "_" +
                                                      test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return file(name);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// Collects log lines while it lives.
class LogCapture {
 public:
  LogCapture() {
    previous_ =
        set_log_sink([this](LogLevel, std::string_view, std::string_view text) { text_ += std::string(text) + "\n"; });
  }
  ~LogCapture() { set_log_sink(previous_); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  LogSink previous_;
};

// The message of the Error that `body` throws, after checking its kind.
inline std::string error_of(ErrorKind kind, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

// Pixels from the generator that tools/goldens/resize_pillow.py uses too.
inline Image noise_image(int width, int height, std::uint32_t state) {
  Image image(width, height);
  for (std::uint8_t& value : image.bgr) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<std::uint8_t>(state >> 24);
  }
  return image;
}

}  // namespace lockstep
