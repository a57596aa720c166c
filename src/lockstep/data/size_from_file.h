// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "lockstep/data/data_report.h"
#include "lockstep/data/image.h"

namespace lockstep {

// The upright size of an image file whose annotations do not tell it. Nothing, and a finding in `report`, when the file
// is missing, cannot be decoded or has a format that is not read. Throws kIo when the system refuses to read it.
std::optional<ImageSize> size_from_file(const std::string& path, DataReport& report);

// The same in two parts, for files that are opened by many threads: the first reads, the second reports.
struct SizeOrError {
  std::optional<ImageSize> size;
  std::optional<Error> error;
  bool missing = false;
};
SizeOrError try_size_from_file(const std::string& path);
std::optional<ImageSize> report_size(const SizeOrError& found, const std::string& path, DataReport& report);

}  // namespace lockstep
