// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/yolo_yaml.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "lockstep/base/check.h"
#include "lockstep/config/yaml_tree.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

std::string name_text(const Value& value, const std::string& file) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&value.data)) return std::to_string(*number);  // digits as classes
  if (const auto* number = std::get_if<double>(&value.data)) return number_text(*number);
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag ? "true" : "false";
  LS_THROW(kData, "{}: 'names' holds {}; wanted texts", file, describe(value));
}

std::vector<std::string> read_names(const Value& names, const std::string& file) {
  std::vector<std::string> found;
  if (const auto* list = std::get_if<Value::List>(&names.data)) {
    for (const Value& name : *list) found.push_back(name_text(name, file));
  } else if (const auto* entries = std::get_if<Value::Entries>(&names.data)) {
    found.resize(entries->size());
    std::vector<bool> seen(entries->size());
    for (const Value::Entry& entry : *entries) {
      std::size_t index = entries->size();
      const auto [end, failed] = std::from_chars(entry.name.data(), entry.name.data() + entry.name.size(), index);
      LS_CHECK(kData, failed == std::errc() && end == entry.name.data() + entry.name.size() && index < seen.size(),
               "{}: 'names' has the key '{}'; wanted the classes 0 to {}", file, entry.name, seen.size() - 1);
      LS_CHECK(kData, !seen[index], "{}: 'names' has the class {} twice", file, index);
      seen[index] = true;
      found[index] = name_text(entry.value, file);
    }
  } else {
    LS_THROW(kData, "{}: 'names' is {}; wanted a list of class names", file, describe(names));
  }
  LS_CHECK(kData, !found.empty(), "{}: 'names' is empty; wanted one name per class", file);
  return found;
}

std::vector<std::string> texts_of(const Value& value, const std::string& key, const std::string& file) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return {*text};
  std::vector<std::string> texts;
  if (const auto* list = std::get_if<Value::List>(&value.data)) {
    for (const Value& one : *list) {
      const auto* text = std::get_if<std::string>(&one.data);
      LS_CHECK(kData, text != nullptr, "{}: '{}' holds {}; wanted folders", file, key, describe(one));
      texts.push_back(*text);
    }
    return texts;
  }
  LS_CHECK(kData, std::holds_alternative<std::monostate>(value.data), "{}: '{}' is {}; wanted a folder or a list file",
           file, key, describe(value));
  return texts;
}

// The folder or list that `text` names, where it exists.
std::optional<std::string> resolve(std::string_view text, const fs::path& root, const fs::path& beside) {
  std::string_view below = text;  // Roboflow writes ../train/images for the folder train/images beside the file
  while (below.starts_with("../")) below.remove_prefix(3);
  // The working directory comes last: what happens to lie there should not hide what lies with the data.
  for (const fs::path& place : {root / text, beside / text, beside / below, fs::path(text)}) {
    if (fs::exists(place)) return place.lexically_normal().string();
  }
  return std::nullopt;
}

YamlNode parse(const std::string& yaml_path) {
  const std::vector<std::uint8_t> bytes = read_file(yaml_path);
  try {
    return read_yaml({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, yaml_path);
  } catch (const Error& error) {
    throw Error(ErrorKind::kData, error.message());
  }
}

}  // namespace

YoloYaml read_yolo_yaml(const std::string& yaml_path) {
  LS_CHECK(kData, fs::is_regular_file(yaml_path), "the file {} does not exist; wanted yolo:data.yaml[:split]",
           yaml_path);
  const YamlNode root = parse(yaml_path);
  std::map<std::string, Value> keys;
  for (const YamlNode::Member& member : root.members) keys[member.name] = to_value(member.value);
  LS_CHECK(kData, keys.contains("names"), "{} is no YOLO data file: it has no 'names'; wanted names, train and val",
           yaml_path);
  YoloYaml yaml;
  yaml.names = read_names(keys["names"], yaml_path);
  if (const auto* count = std::get_if<std::int64_t>(&keys["nc"].data)) {
    LS_CHECK(kData, *count == static_cast<std::int64_t>(yaml.names.size()), "{}: 'nc' is {}, but there are {} 'names'",
             yaml_path, *count, yaml.names.size());
  }
  const fs::path beside = fs::path(yaml_path).parent_path();
  fs::path root_folder = beside;
  if (const auto* text = std::get_if<std::string>(&keys["path"].data)) root_folder = beside / *text;
  constexpr std::pair<const char*, const char*> kSplits[] = {
      {"train", "train"}, {"val", "val"}, {"valid", "val"}, {"test", "test"}};
  for (const auto& [key, split] : kSplits) {
    const auto stated = keys.find(key);
    if (stated == keys.end()) continue;
    for (const std::string& text : texts_of(stated->second, key, yaml_path)) {
      if (const auto place = resolve(text, root_folder, beside)) yaml.splits[split].push_back(*place);
    }
  }
  return yaml;
}

}  // namespace lockstep
