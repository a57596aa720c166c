// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lockstep/base/error.h"

namespace lockstep {

// Runs `body` and hands its Error to the checks; fails the test when there is none.
template <typename Body>
void expect_error(ErrorKind kind, const std::string& part, Body body) {
  try {
    body();
    FAIL() << "no error; wanted one with '" << part << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr(part));
  }
}

}  // namespace lockstep
