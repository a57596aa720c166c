// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "lockstep/base/error.h"

namespace lockstep {

// Runs `action`, which must throw a lockstep::Error of this kind, and returns its full text.
template <typename Action>
std::string error_text(ErrorKind kind, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.kind()), to_string(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown; wanted an error of kind " << to_string(kind);
  return "";
}

}  // namespace lockstep
