// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "config/config_test_support.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/key_table.h"

namespace lockstep {
namespace {

TEST(ConfigReference, PageIsTheOneMadeFromTheTable) {
  const std::filesystem::path page = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs" / "config.md";
  if (std::getenv("LOCKSTEP_UPDATE_DOCS")) std::ofstream(page, std::ios::binary) << config_reference();
  EXPECT_EQ(testing::read_text_file(page), config_reference())
      << "docs/config.md is out of date; run this test once with LOCKSTEP_UPDATE_DOCS=1";
}

TEST(KeyTable, EveryKeyIsDocumentedOnceInASectionThatIsToo) {
  std::set<std::string> paths;
  std::set<std::string> sections;
  for (const SectionInfo& section : section_table()) EXPECT_TRUE(sections.insert(section.path).second) << section.path;
  for (const KeyInfo& key : key_table()) {
    EXPECT_TRUE(paths.insert(key.path).second) << key.path << " stands in the table twice";
    EXPECT_GT(key.doc.size(), 5U) << key.path;
    EXPECT_EQ(key.doc.find('|'), std::string::npos) << key.path << ": '|' breaks the table of docs/config.md";
    EXPECT_FALSE(is_section(key.path)) << key.path;
    Config config;
    EXPECT_EQ(key.set(config, key.get(Config{})), std::nullopt) << key.path << ": the default is out of range";
    EXPECT_TRUE(key.key_class != KeyClass::kUnsupported || !key.supported_text.empty()) << key.path;
  }
}

}  // namespace
}  // namespace lockstep
