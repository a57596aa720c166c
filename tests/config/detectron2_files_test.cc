// SPDX-License-Identifier: Apache-2.0
// Detectron2's own config files against what Detectron2 makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "config/config_test_support.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/load.h"
#include "lockstep/config/support.h"
#include "lockstep/config/yaml_tree.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::read_text_file;
using testing::shared_folder;

fs::path folder() { return shared_folder() / "data" / "detectron2-configs"; }

// Equal as numbers: the merged results print 32.0 where the file has 32 and the other way round.
bool same_value(const Value& a, const Value& b) {
  const auto number = [](const Value& v) -> std::optional<double> {
    if (const auto* i = std::get_if<std::int64_t>(&v.data)) return static_cast<double>(*i);
    if (const auto* d = std::get_if<double>(&v.data)) return *d;
    return std::nullopt;
  };
  if (number(a) && number(b)) return *number(a) == *number(b);
  const auto* list_a = std::get_if<Value::List>(&a.data);
  const auto* list_b = std::get_if<Value::List>(&b.data);
  if (list_a && list_b) {
    return std::equal(list_a->begin(), list_a->end(), list_b->begin(), list_b->end(), same_value);
  }
  return a == b;
}

// Compares every key of a merged JSON file (JSON is YAML) with the config; collects the paths it saw.
void compare(const YamlNode& node, const std::string& prefix, const Config& config, std::set<std::string>& seen) {
  for (const auto& member : node.members) {
    const std::string path = prefix.empty() ? member.name : prefix + "." + member.name;
    if (member.value.kind == YamlNode::Kind::kMapping) {
      compare(member.value, path, config, seen);
      continue;
    }
    const KeyInfo* key = find_key(path);
    ASSERT_NE(key, nullptr) << path << " is a key of Detectron2 and stands in no table";
    seen.insert(path);
    // JSON numbers such as 1e-05 are texts in YAML 1.1; fit() makes numbers of them, here by a fresh config.
    Config expected;
    ASSERT_EQ(key->set(expected, to_value(member.value)), std::nullopt) << path;
    EXPECT_TRUE(same_value(key->get(expected), key->get(config)))
        << path << ": wanted " << to_flow_yaml(to_value(member.value)) << ", got " << to_flow_yaml(key->get(config));
  }
}

TEST(Detectron2Files, DefaultsAreEqualAndEveryKeyIsKnown) {
  if (!fs::exists(folder())) GTEST_SKIP() << folder() << " is absent";
  std::set<std::string> seen;
  compare(read_yaml(read_text_file(folder() / "defaults.json"), "defaults.json"), "", Config{}, seen);
  for (const KeyInfo& key : key_table()) {
    EXPECT_EQ(key.is_extension, seen.count(key.path) == 0) << key.path;
  }
}

TEST(Detectron2Files, MergeToTheSameResult) {
  if (!fs::exists(folder())) GTEST_SKIP() << folder() << " is absent";
  int files = 0;
  std::set<std::string> incomplete;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const fs::path relative = fs::relative(entry.path(), folder() / "configs");
    SCOPED_TRACE(relative.string());
    Config config;
    try {
      config = load_config(entry.path().string());
    } catch (const Error& error) {
      // The folder holds two thirds of Detectron2's files; the bases of a few are not among them.
      ASSERT_THAT(error.what(), ::testing::HasSubstr("there is no file"));
      incomplete.insert(relative.filename().string());
      continue;
    }
    fs::path merged = folder() / "merged" / relative;
    merged.replace_extension(".json");
    ASSERT_TRUE(fs::exists(merged));
    std::set<std::string> seen;
    compare(read_yaml(read_text_file(merged), merged.string()), "", config, seen);
    EXPECT_GT(seen.size(), 150U);
    EXPECT_EQ(to_yaml(config_from_yaml(to_yaml(config))), to_yaml(config));
    EXPECT_EQ(to_yaml(config_from_yaml(diff_yaml(config))), to_yaml(config));
    ++files;
  }
  EXPECT_EQ(files + static_cast<int>(incomplete.size()), 65);
  EXPECT_THAT(incomplete, ::testing::UnorderedElementsAre(
                              "mask_rcnn_R_50_FPN_inference_acc_test.yaml", "rpn_R_50_FPN_inference_acc_test.yaml",
                              "rpn_R_50_FPN_instant_test.yaml", "scratch_mask_rcnn_R_50_FPN_9x_syncbn.yaml"));
}

TEST(Detectron2Files, GoldenConfigsLoadAndRun) {
  for (const char* model : {"faster_rcnn_r50_fpn_gn", "faster_rcnn_r18_fpn"}) {
    const fs::path file = shared_folder() / "goldens" / "detectron2" / model / "config.yaml";
    if (!fs::exists(file)) GTEST_SKIP() << file << " is absent";
    SCOPED_TRACE(model);
    const Config config = load_config(file.string());
    EXPECT_NO_THROW(check_supported(config));
    EXPECT_EQ(config.model.roi_heads.num_classes, 5);
    EXPECT_TRUE(config.is_set("MODEL.ROI_HEADS.NUM_CLASSES"));
  }
}

}  // namespace
}  // namespace lockstep
