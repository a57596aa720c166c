// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/size_from_file.h"

#include <filesystem>

#include "lockstep/data/image_decode.h"

namespace lockstep {

SizeOrError try_size_from_file(const std::string& path) {
  SizeOrError found;
  std::error_code failed;
  found.missing = !std::filesystem::is_regular_file(path, failed);
  if (found.missing) return found;
  try {
    found.size = read_image_size(path);
  } catch (const Error& error) {
    found.error.emplace(error);
  }
  return found;
}

std::optional<ImageSize> report_size(const SizeOrError& found, const std::string& path, DataReport& report) {
  if (found.missing) {
    report.hit(Rule::kFileMissing, [&] { return RuleExample{path, "", "does not exist"}; });
    return std::nullopt;
  }
  if (!found.error) return found.size;
  const ErrorKind kind = found.error->kind();
  if (kind != ErrorKind::kData && kind != ErrorKind::kUnsupported) throw Error(*found.error);
  const Rule rule = kind == ErrorKind::kData ? Rule::kFileUndecodable : Rule::kFileUnsupported;
  report.hit(rule, [&] { return RuleExample{path, "", found.error->message()}; });
  return std::nullopt;
}

std::optional<ImageSize> size_from_file(const std::string& path, DataReport& report) {
  return report_size(try_size_from_file(path), path, report);
}

}  // namespace lockstep
