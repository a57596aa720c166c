// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include "lockstep/base/error.h"

// LS_THROW(kData, "found {} ...", x): throws an Error of that kind; kinds are written without the enum's name.
#define LS_THROW(kind, ...) throw ::lockstep::Error(::lockstep::ErrorKind::kind, ::fmt::format(__VA_ARGS__))

// LS_CHECK(kData, condition, "message {}", x): a mistake of the user or the environment.
#define LS_CHECK(kind, condition, ...)             \
  do {                                             \
    if (!(condition)) LS_THROW(kind, __VA_ARGS__); \
  } while (false)

// LS_ASSERT(condition, "message {}", x): a mistake of ours; stays on in release builds.
#define LS_ASSERT(condition, ...) LS_CHECK(kInternal, condition, __VA_ARGS__)
