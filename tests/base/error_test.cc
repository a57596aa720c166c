// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

TEST(Error, ControlCharactersOfQuotedTextsAreShown) {
  using namespace std::string_literals;
  Error error(ErrorKind::kConfig, "found 'a\0b\x1b[2J\x7f'\nat\tb"s);
  error.add_note("in 'c\0'"s);
  EXPECT_EQ(std::string(error.what()), "found 'a\\x00b\\x1b[2J\\x7f'\nat\tb\n  in 'c\\x00'");
}

TEST(Error, NotesFollowTheMessageInnermostFirst) {
  Error error(ErrorKind::kData, "found 3 boxes, wanted 4");
  error.add_note("in op Copy").add_note("in net 'step'");
  EXPECT_STREQ(error.what(), "found 3 boxes, wanted 4\n  in op Copy\n  in net 'step'");
}

TEST(Error, InternalErrorsNameTheSourceLine) {
  EXPECT_THAT(Error(ErrorKind::kInternal, "broken").what(), testing::HasSubstr("error_test.cc:"));
}

TEST(Error, ExitCodeFollowsTheKind) {
  EXPECT_EQ(exit_code(ErrorKind::kInternal), 1);
  EXPECT_EQ(exit_code(ErrorKind::kConfig), 2);
  EXPECT_EQ(exit_code(ErrorKind::kData), 2);
  EXPECT_EQ(exit_code(ErrorKind::kIo), 3);
  EXPECT_EQ(exit_code(ErrorKind::kDevice), 3);
}

TEST(Check, ThrowsTheKindAndTheFormattedMessage) {
  try {
    LS_CHECK(kShape, 1 == 2, "{} is not {}", 1, 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kShape);
    EXPECT_EQ(error.message(), "1 is not 2");
  }
}

}  // namespace
}  // namespace lockstep
