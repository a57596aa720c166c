// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/file_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "lockstep/data/exif.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/image_files.h"
#include "lockstep/data/image_traits.h"
#include "lockstep/data/parallel_for.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

// What one thread finds out about one file.
struct FileFindings {
  std::vector<std::pair<Rule, std::string>> found;
  std::uint64_t digest = 0;  // of the bytes, kFull only
  std::size_t size = 0;
};

// FNV-1a, 64 bits; with the size, enough to find copies among millions of files.
std::uint64_t digest_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t digest = 14695981039346656037ULL;
  for (const std::uint8_t byte : bytes) digest = (digest ^ byte) * 1099511628211ULL;
  return digest;
}

void look_at_traits(const std::string& path, const ImageTraits& traits, FileFindings& findings) {
  const auto add = [&](bool applies, Rule rule, std::string detail) {
    if (applies) findings.found.emplace_back(rule, std::move(detail));
  };
  add(is_misleading_name(path, traits.format), Rule::kFileNameMisleads,
      fmt::format("is a {} file", to_string(traits.format)));
  add(traits.channels == 1 || (traits.channels == 2 && traits.alpha), Rule::kFileGrey, "");
  add(traits.alpha, Rule::kFileAlpha, "");
  add(traits.sixteen_bit, Rule::kFileSixteenBit, "");
  add(traits.channels == 4 && !traits.alpha, Rule::kFileCmyk, "");
  add(traits.orientation != 1, Rule::kFileTurned, fmt::format("orientation {}", traits.orientation));
}

void look_at_size(const ImageRecord& image, ImageSize stored, const ImageTraits& traits, FileFindings& findings) {
  const bool turned = traits.orientation >= 5;
  const ImageSize upright = turned ? ImageSize{stored.height, stored.width} : stored;
  const ImageSize stated{image.width, image.height};
  if (!(stated == upright) && !(stated == stored)) {
    findings.found.emplace_back(Rule::kFileSizeDiffers,
                                fmt::format("has {} x {} pixels, the annotations say {} x {}", upright.width,
                                            upright.height, image.width, image.height));
  }
  constexpr int kExtreme = 10;
  const int longer = std::max(upright.width, upright.height), shorter = std::min(upright.width, upright.height);
  if (longer > kExtreme * shorter) {
    findings.found.emplace_back(Rule::kFileExtremeShape, fmt::format("{} x {}", upright.width, upright.height));
  }
}

FileFindings look_at_file(const ImageRecord& image, DecodeLevel level) {
  FileFindings findings;
  std::error_code failed;
  if (!fs::is_regular_file(image.path, failed)) {
    findings.found.emplace_back(Rule::kFileMissing, "does not exist");
    return findings;
  }
  if (level == DecodeLevel::kNone) return findings;
  const bool full = level == DecodeLevel::kFull;
  const std::vector<std::uint8_t> bytes = full ? read_file(image.path) : read_image_header(image.path);
  try {
    const ImageTraits traits = read_image_traits(bytes);
    look_at_size(image, stored_image_size(bytes, image.path), traits, findings);
    look_at_traits(image.path, traits, findings);
    if (full) decode_image(bytes, image.path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData && error.kind() != ErrorKind::kUnsupported) throw;
    const bool unsupported = error.kind() == ErrorKind::kUnsupported;
    findings.found.emplace_back(unsupported ? Rule::kFileUnsupported : Rule::kFileUndecodable, error.message());
  }
  if (full) findings.digest = digest_of(bytes), findings.size = bytes.size();
  return findings;
}

// Finds files that equal an earlier one, over all data sets.
class CopyFinder {
 public:
  void look(const ImageRecord& image, const FileFindings& file, DataReport& report) {
    if (file.size == 0) return;
    const std::string& first = first_.emplace(std::pair(file.digest, file.size), image.path).first->second;
    if (first == image.path) return;
    report.hit(Rule::kFileCopies, [&] { return RuleExample{image.path, "", "the same as " + first}; });
  }

 private:
  std::map<std::pair<std::uint64_t, std::size_t>, std::string> first_;
};

void look_for_unlisted(const std::vector<ReadDataset>& sets, DataReport& report) {
  std::set<std::string> listed;
  std::map<fs::path, std::string> folders;  // with the first source that has pictures there
  for (const ReadDataset& set : sets) {
    for (const ImageRecord& image : set.dataset.images) {
      const fs::path path = fs::path(image.path).lexically_normal();
      listed.insert(path.string());
      folders.emplace(path.parent_path(), set.source);
    }
  }
  for (const auto& [folder, source] : folders) {
    report.begin(source);
    for (const fs::path& file : image_files(folder, false)) {
      if (listed.contains(file.lexically_normal().string())) continue;
      report.hit(Rule::kFileUnlisted, [&] { return RuleExample{file.string(), "", ""}; });
    }
  }
}

}  // namespace

void check_files(const std::vector<ReadDataset>& sets, DecodeLevel level, DataReport& report) {
  CopyFinder copies;
  for (const ReadDataset& set : sets) {
    const std::vector<ImageRecord>& images = set.dataset.images;
    std::vector<FileFindings> files(images.size());
    parallel_for(images.size(), [&](std::size_t i) { files[i] = look_at_file(images[i], level); });
    report.begin(set.source);
    for (std::size_t i = 0; i < images.size(); ++i) {
      for (const auto& [rule, detail] : files[i].found) {
        report.hit(rule, [&, &detail = detail] {
          return RuleExample{images[i].path, fmt::format("image {}", images[i].id), detail};
        });
      }
      copies.look(images[i], files[i], report);
    }
  }
  look_for_unlisted(sets, report);
}

}  // namespace lockstep
