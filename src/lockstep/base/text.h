// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// The number of single-character edits between two texts (Levenshtein).
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `name`, or an empty text when none is near enough to be worth proposing.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// "a, b and c".
std::string join_words(const std::vector<std::string>& words);

}  // namespace lockstep
