// SPDX-License-Identifier: Apache-2.0
#include "lockstep/base/json_text.h"

#include <fmt/core.h>

#include <cmath>

namespace lockstep {

std::string json_quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': quoted += "\\\""; break;
      case '\\': quoted += "\\\\"; break;
      case '\n': quoted += "\\n"; break;
      case '\r': quoted += "\\r"; break;
      case '\t': quoted += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
          quoted += c;
        }
    }
  }
  return quoted + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

}  // namespace lockstep
