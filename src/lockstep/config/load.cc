// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/load.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/base/utf8.h"
#include "lockstep/config/assign_key.h"
#include "lockstep/config/config_file.h"
#include "lockstep/config/detectron_names.h"
#include "lockstep/config/environment.h"
#include "lockstep/config/key_table.h"
#include "lockstep/config/literal.h"
#include "lockstep/config/problems.h"
#include "lockstep/config/scalar.h"
#include "lockstep/config/yaml_tree.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxBases = 32;
constexpr char kCatalog[] = "DATASETS.CATALOG";
constexpr char kBase[] = "_BASE_";

namespace fs = std::filesystem;

// What reading a config works on.
struct Load {
  explicit Load(Config& target) : config(target), names(target, problems) {}

  Config& config;
  ConfigProblems problems;
  DetectronNames names;

  // Assigns a value to the key or the name of Detectron of that path; false when there is neither.
  bool assign(const std::string& path, const Value& value, const std::string& where) {
    if (const KeyInfo* key = find_key(path)) {
      names.state_key(path, where);
      assign_key(config, *key, value, where, path, problems);
    } else if (const DetectronKey* name = find_detectron_key(path)) {
      names.state_name(*name, value, where);
    } else {
      return false;
    }
    return true;
  }

  void finish(const std::string& subject) {
    names.finish();
    problems.throw_if_any(subject);
  }
};

// The key or the name of Detectron that was probably meant.
std::string advice_for(const std::string& path) {
  std::vector<std::string> names;
  for (const DetectronKey& key : detectron_keys()) {
    names.push_back(key.path);
    if (const std::size_t dot = key.path.find('.'); dot != std::string::npos) names.push_back(key.path.substr(0, dot));
  }
  const std::string name = nearest_name(path, names);
  if (!name.empty() && edit_distance(path, name) <= 2) return "nearest: " + name + " (a name of Detectron)";
  return advice_for_unknown_key(path);
}

bool is_known_section(const std::string& path) { return is_section(path) || is_detectron_section(path); }

class FileReader {
 public:
  explicit FileReader(Load& load) : load_(load) {}

  void read_file(const fs::path& path, const std::string& stated_at) {
    std::error_code code;
    const fs::path canonical = fs::weakly_canonical(path, code);
    const std::string name = path.string();
    const std::string where = stated_at.empty() ? "" : stated_at + ": ";
    if (std::find(chain_.begin(), chain_.end(), canonical) != chain_.end()) {
      std::string names;
      for (const fs::path& file : chain_) names += file.filename().string() + " -> ";
      LS_THROW(kConfig, "{}_BASE_ goes in a circle: {}{}; remove one of the _BASE_ lines", where, names,
               canonical.filename().string());
    }
    LS_CHECK(kConfig, chain_.size() < kMaxBases, "{}found a _BASE_ chain of more than {} files, wanted fewer", where,
             kMaxBases);
    const std::string text = read_config_file(path, where);
    chain_.push_back(canonical);
    read_text(text, name);
    chain_.pop_back();
  }

  void read_text(std::string_view text, const std::string& name) {
    const YamlNode root = read_yaml(text, name);
    for (const auto& member : root.members) {
      if (member.name == kBase) read_base(member, name);
    }
    load_.names.begin_source();
    read_mapping(root, "", name);
  }

 private:
  void read_base(const YamlNode::Member& member, const std::string& name) {
    const std::string where = place(name, member.value.mark);
    const auto* base = std::get_if<std::string>(&member.value.scalar.data);
    LS_CHECK(kConfig, base && !base->empty(), "{}: _BASE_: found {}, wanted the path of one config file", where,
             describe(to_value(member.value)));
    LS_CHECK(kConfig, base->find("://") == std::string::npos,
             "{}: _BASE_: found the address '{}', wanted a path; download the file first", where, *base);
    std::string path = *base;
    const auto problem = expand_environment(path);
    LS_CHECK(kConfig, !problem, "{}: _BASE_: {}", where, *problem);
    read_file((fs::path(name).parent_path() / path).lexically_normal(), where);
  }

  void read_mapping(const YamlNode& node, const std::string& prefix, const std::string& name) {
    for (const auto& member : node.members) {
      if (prefix.empty() && member.name == kBase) continue;
      const std::string path = prefix.empty() ? member.name : prefix + "." + member.name;
      const std::string where = place(name, member.mark);
      if (load_.assign(path, to_value(member.value), where)) continue;
      if (!is_known_section(path)) {
        load_.problems.add(fmt::format("{}: {}: there is no such key; {}", where, path, advice_for(path)));
      } else if (member.value.kind == YamlNode::Kind::kMapping) {
        read_mapping(member.value, path, name);
      } else if (!(to_value(member.value) == Value())) {  // an empty section is read as one
        load_.problems.add(
            fmt::format("{}: {}: found {}, wanted a section of keys", where, path, describe(to_value(member.value))));
      }
    }
  }

  static std::string place(const std::string& name, const Mark& mark) {
    return fmt::format("{}:{}:{}", name, mark.line, mark.column);
  }

  Load& load_;
  std::vector<fs::path> chain_;
};

// A value on the command line: a scalar, a Python literal (the key decodes it), or a YAML list such as [res2, res3].
Value override_value(const std::string& text) {
  if (!text.empty() && text.front() == '[' && !parse_literal(text)) {
    try {
      return to_value(read_yaml("VALUE: " + text, "override").members.at(0).value);
    } catch (const Error&) {
      return Value(text);  // the key's type decides what is wrong with it
    }
  }
  return resolve_plain_scalar(text);
}

void apply_override(Load& load, const std::string& path, const std::string& text, const std::string& where) {
  for (const std::string& part : {path, text}) {
    const std::size_t at = find_invalid_utf8(part);
    if (at == part.size()) continue;
    load.problems.add(
        fmt::format("{}: found the byte 0x{:02x} at character {}, which is not UTF-8, wanted a text in UTF-8", where,
                    static_cast<unsigned>(static_cast<unsigned char>(part[at])), at + 1));
    return;
  }
  const std::string catalog_prefix = std::string(kCatalog) + ".";
  if (path.rfind(catalog_prefix, 0) == 0 && path.size() > catalog_prefix.size()) {
    load.assign(kCatalog, Value(Value::Entries{{path.substr(catalog_prefix.size()), Value(text)}}), where);
    return;
  }
  const KeyInfo* key = find_key(path);
  // The shell cannot write "null or text": a text key takes the characters as they stand.
  const bool is_text = key && std::holds_alternative<std::string>(key->get(load.config).data);
  if (load.assign(path, is_text ? Value(text) : override_value(text), where)) return;
  if (is_known_section(path)) {
    load.problems.add(fmt::format("{}: {} is a section, wanted a key; docs/config.md lists its keys", where, path));
  } else {
    load.problems.add(fmt::format("{}: {}: there is no such key; {}", where, path, advice_for(path)));
  }
}

bool is_key_like(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  });
}

void collect_overrides(Load& load, const std::vector<std::string>& overrides) {
  load.names.begin_source();
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    const std::string where = fmt::format("override {}", i + 1);
    const std::string& item = overrides[i];
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos && is_key_like(item.substr(0, equals))) {
      apply_override(load, item.substr(0, equals), item.substr(equals + 1), where);
    } else if (i + 1 < overrides.size()) {
      apply_override(load, item, overrides[++i], where);
    } else {
      load.problems.add(
          fmt::format("{}: found the key '{}' without a value, wanted KEY VALUE or KEY=VALUE", where, item));
    }
  }
}

}  // namespace

Config load_config(const std::string& path, const std::vector<std::string>& overrides) {
  Config config;
  Load load(config);
  FileReader(load).read_file(path, "");
  collect_overrides(load, overrides);
  load.finish(path);
  return config;
}

Config config_from_yaml(std::string_view text, const std::string& file_name) {
  Config config;
  Load load(config);
  FileReader(load).read_text(text, file_name);
  load.finish(file_name);
  return config;
}

void apply_overrides(Config& config, const std::vector<std::string>& overrides) {
  Config changed = config;
  Load load(changed);
  collect_overrides(load, overrides);
  load.finish("the overrides");
  config = std::move(changed);
}

}  // namespace lockstep
