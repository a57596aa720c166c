// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/image_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <system_error>

namespace lockstep {
namespace fs = std::filesystem;

bool is_image_name(const fs::path& path) {
  constexpr std::array<std::string_view, 8> kExtensions = {".jpg", ".jpeg", ".png",  ".bmp",
                                                           ".gif", ".tif",  ".tiff", ".webp"};
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

std::vector<fs::path> image_files(const fs::path& folder, bool recursive) {
  std::vector<fs::path> files;
  std::error_code failed;
  const auto take = [&](const fs::path& path) {
    if (is_image_name(path)) files.push_back(path);
  };
  if (recursive) {
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
      take(at->path());
    }
  } else {
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) take(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> files_with_extension(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == extension) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace lockstep
