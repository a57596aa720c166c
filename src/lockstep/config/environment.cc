// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/environment.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::string_view kOpen = "${";

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

std::optional<std::string> expand_environment(std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, done)) {
    if (at > done && text[at - 1] == '$') {
      out.append(text, done, at - done).append("{");
      done = at + kOpen.size();
      continue;
    }
    const std::size_t end = text.find('}', at);
    const std::size_t start = at + kOpen.size();
    const std::string name = text.substr(start, end == std::string::npos ? end : end - start);
    if (end == std::string::npos || !is_name(name)) {
      return fmt::format(
          "found '{}', wanted ${{NAME}} with the name of an environment variable, or $${{ for the two "
          "characters themselves",
          text.substr(at, 32));
    }
    const char* value = std::getenv(name.c_str());
    if (!value) return fmt::format("found ${{{0}}}, but the environment has no variable {0}; set it", name);
    out.append(text, done, at - done).append(value);
    done = end + 1;
  }
  text = out + text.substr(done);
  return std::nullopt;
}

std::string escape_environment(const std::string& text) {
  std::string out = text;
  for (std::size_t at = out.find(kOpen); at != std::string::npos; at = out.find(kOpen, at + 3)) out.insert(at, "$");
  return out;
}

}  // namespace lockstep
