// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/config.h"

namespace lockstep {

Config::Config() = default;
Config::Config(const Config&) = default;
Config::Config(Config&&) noexcept = default;
Config& Config::operator=(const Config&) = default;
Config& Config::operator=(Config&&) noexcept = default;
Config::~Config() = default;

}  // namespace lockstep
