// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// The lines of a text file that are not blank, without blanks and line ends (LF or CRLF) around them; a byte-order mark
// is skipped. kData for UTF-16, kIo when the file cannot be read. `numbers` gets each line's number, from 1.
std::vector<std::string> read_text_lines(const std::string& path, std::vector<std::size_t>* numbers = nullptr);

}  // namespace lockstep
