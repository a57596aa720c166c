// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

// True for the names of pictures (.jpg, .jpeg, .png and the formats that are told apart but not read), in any case.
bool is_image_name(const std::filesystem::path& path);

// The pictures in a folder, sorted by name; `recursive` with those in folders below. Empty when there is no folder.
std::vector<std::filesystem::path> image_files(const std::filesystem::path& folder, bool recursive);

// The files in a folder with this extension (".xml"), sorted by name; empty when there is no folder.
std::vector<std::filesystem::path> files_with_extension(const std::filesystem::path& folder,
                                                        const std::string& extension);

}  // namespace lockstep
