// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// What is done with a record that a rule applies to.
enum class Policy {
  kFix,   // it is used, after a repair that the rule states
  kDrop,  // it is left out
  kKeep,  // it is used as it is; the count is information
  kFail,  // training and evaluation stop
};
std::string_view to_string(Policy policy);

// Everything that is looked for in annotations and images; rule_table() says what each one means.
enum class Rule {
  kCategoryMalformed,
  kCategoryIdTwice,
  kCategoryNameTwice,
  kCategoryNameSimilar,
  kCategoryWithoutBoxes,
  kCategoryGroup,
  kImageMalformed,
  kImageIdTwice,
  kImageFileTwice,
  kImagePathMended,
  kImageSizeMissing,
  kImageWithoutBoxes,
  kImageOnlyCrowd,
  kImageManyBoxes,
  kAnnotationMalformed,
  kAnnotationIdMissing,
  kAnnotationIdTwice,
  kImageIdUnknown,
  kCategoryIdUnknown,
  kBboxFromSegmentation,
  kSegmentationUnusable,
  kIscrowdMissing,
  kAreaMissing,
  kBoxIgnored,
  kBoxWithoutSize,
  kBoxOutside,
  kBoxClipped,
  kBoxLooksLikeCorners,
  kBoxLooksNormalised,
  kBoxBelowOnePixel,
  kBoxCoversImage,
  kBoxTwice,
  kVocFileUnreadable,
  kVocObjectMalformed,
  kVocZeroBased,
  kVocDifficult,
  kVocNameDiffers,
  kVocImageUnlabelled,
  kYoloLineMalformed,
  kYoloClassUnknown,
  kYoloOutOfRange,
  kYoloPolygon,
  kYoloImageUnlabelled,
  kYoloLabelWithoutImage,
  kFileMissing,
  kFileUndecodable,
  kFileUnsupported,
  kFileSizeDiffers,
  kFileTurned,
  kFileNameMisleads,
  kFileGrey,
  kFileAlpha,
  kFileSixteenBit,
  kFileCmyk,
  kFileExtremeShape,
  kFileCopies,
  kFileUnlisted,
  kCount,
};

struct RuleInfo {
  Rule rule;
  std::string_view name;     // as --json and docs/data.md call it
  std::string_view group;    // heading in docs/data.md
  Policy policy;             // what is done
  bool at_start;             // also logged when training or evaluation reads the data
  std::string_view message;  // after a count: "3 boxes dropped because ..."
  std::string_view doc;      // for docs/data.md
};

// One entry per rule, in the order of the enum.
const std::vector<RuleInfo>& rule_table();
const RuleInfo& rule_info(Rule rule);

// The rules as the tables of docs/data.md.
std::string rules_reference();

}  // namespace lockstep
