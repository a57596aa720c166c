// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/dump.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "lockstep/base/text.h"
#include "lockstep/config/detectron_keys.h"
#include "lockstep/config/environment.h"
#include "lockstep/config/key_table.h"

namespace lockstep {
namespace {

// A key's YAML line, before indentation.
struct Line {
  std::vector<std::string> parts;  // of the path
  std::string value;
  std::string doc;
  bool commented = false;
};

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', start)) {
    parts.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  parts.push_back(path.substr(start));
  return parts;
}

// The value as a file states it.
Value stated_value(const KeyInfo& key, Value value) {
  if (!key.is_path) return value;
  if (auto* text = std::get_if<std::string>(&value.data)) *text = escape_environment(*text);
  if (auto* items = std::get_if<Value::List>(&value.data)) {
    for (Value& item : *items) item = stated_value(key, item);
  }
  if (auto* entries = std::get_if<Value::Entries>(&value.data)) {
    for (Value::Entry& entry : *entries) entry.value = stated_value(key, entry.value);
  }
  return value;
}

// Sections in the order of their first key, keys of one section together.
void write(std::vector<Line> lines, std::size_t depth, std::string& out) {
  const std::string indent(2 * depth, ' ');
  while (!lines.empty()) {
    const Line first = lines.front();
    if (first.parts.size() == depth + 1) {
      if (!first.doc.empty()) out += indent + "# " + first.doc + "\n";
      out += indent + (first.commented ? "# " : "") + first.parts[depth] + ": " + first.value + "\n";
      lines.erase(lines.begin());
      continue;
    }
    const std::string section = first.parts[depth];
    std::vector<Line> inside;
    std::vector<Line> outside;
    for (Line& line : lines) {
      const bool is_inside = line.parts.size() > depth + 1 && line.parts[depth] == section;
      (is_inside ? inside : outside).push_back(std::move(line));
    }
    out += indent + section + ":\n";
    write(std::move(inside), depth + 1, out);
    lines = std::move(outside);
  }
}

std::string dump(const Config& config, DumpComments comments, bool only_changes) {
  const Config defaults;
  std::vector<Line> lines;
  for (const KeyInfo& key : key_table()) {
    const Value value = key.get(config);
    const bool unset = key.absence_matters && !config.is_set(key.path);
    const bool changed = !(value == key.get(defaults));
    const bool show = !only_changes || changed || (key.absence_matters && !unset);
    if (!show) continue;
    Line line{split_path(key.path), to_flow_yaml(stated_value(key, value)),
              comments == DumpComments::kDocs ? key.doc : "", unset && !changed};
    if (line.commented) line.value += "  (not set)";
    lines.push_back(std::move(line));
  }
  if (lines.empty()) return "# every key has its default\n";
  std::string out;
  write(std::move(lines), 0, out);
  return out;
}

std::string range_text(const KeyInfo& key) {
  constexpr double kLimit = std::numeric_limits<double>::max();
  std::vector<std::string> parts;
  const auto number = [](double value) {
    return value == static_cast<double>(static_cast<std::int64_t>(value)) ? fmt::format("{:.0f}", value)
                                                                          : number_text(value);
  };
  if (key.min != -kLimit && key.max != kLimit) {
    parts.push_back(fmt::format("{} to {}", number(key.min), number(key.max)));
  } else if (key.min != -kLimit) {
    parts.push_back(fmt::format("at least {}", number(key.min)));
  }
  if (!key.choices.empty()) {
    std::vector<std::string> words;
    for (const std::string& choice : key.choices) words.push_back(yaml_text(choice));
    parts.push_back("one of " + join_words(words));
  }
  if (!key.supported_text.empty()) parts.push_back("runs with " + key.supported_text);
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

std::vector<std::string> path_keys() {
  std::vector<std::string> paths;
  for (const KeyInfo& key : key_table()) {
    if (key.is_path) paths.push_back(key.path);
  }
  return paths;
}

std::string detectron_reference() {
  std::string out =
      "\n## Names of Detectron\n\n"
      "Each sets the keys in the second column, and a line at the start says so with the values. A file that states "
      "MODEL.CONV_BODY is a whole recipe of Detectron: names that it leaves out have Detectron's default. In other "
      "recipes, names whose meaning depends on each other (NUM_GPUS and TRAIN.IMS_PER_BATCH) must all be stated. An "
      "old and a new name of one setting in one file are an error; a later file or an override wins. A dump holds the "
      "new names only.\n\n"
      "| name | here | Detectron's default |\n|---|---|---|\n";
  for (const DetectronKey& key : detectron_keys()) {
    out += fmt::format("| {} | {} | {} |\n", key.path, describe_meaning(key),
                       key.default_value ? "`" + to_flow_yaml(*key.default_value) + "`" : "");
  }
  return out;
}

std::string section_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

}  // namespace

std::string to_yaml(const Config& config, DumpComments comments) { return dump(config, comments, false); }
std::string diff_yaml(const Config& config, DumpComments comments) { return dump(config, comments, true); }

std::string config_reference() {
  std::string out =
      "# Config keys\n\n"
      "Made from the key table in src/lockstep/config; the test `ConfigReference` compares the two and rewrites this "
      "page when LOCKSTEP_UPDATE_DOCS is set.\n\n"
      "Names, defaults and meaning are Detectron2's; **ext** marks keys that only Lockstep has. "
      "*used* keys act as described; *no effect*: nothing that this build runs depends on the key; *unsupported*: "
      "other "
      "values than the ones named under Values load, but cannot be run.\n\n"
      "A config file is YAML (1.1, as PyYAML reads it). `_BASE_: other.yaml` reads another file first, relative to "
      "this "
      "one. Texts that are Python literals, such as `(60000, 80000)`, are read as such where the key is not a text. "
      "On the command line, `KEY VALUE` and `KEY=VALUE` override keys.\n\n"
      "`${NAME}` is the environment variable of that name in `_BASE_` and in the keys that hold paths: " +
      join_words(path_keys()) +
      "; `$${` stands for `${` itself there. In other keys, and "
      "in forms such as `$NAME` or `~`, it has no meaning. A dump holds what the variables held.\n\n"
      "Files of Detectron (the first one, on Caffe2) are read too; the last section lists its names.\n";
  const Config defaults;
  std::string section = "?";
  for (const KeyInfo& key : key_table()) {
    if (section_of(key.path) != section) {
      section = section_of(key.path);
      out += "\n## " + (section.empty() ? std::string("Top level") : section) + "\n\n";
      const auto& sections = section_table();
      const auto info =
          std::find_if(sections.begin(), sections.end(), [&](const SectionInfo& s) { return s.path == section; });
      if (info != sections.end()) out += info->doc + "\n\n";
      out += "| key | type | default | values | class | meaning |\n|---|---|---|---|---|---|\n";
    }
    out += fmt::format("| {}{} | {} | `{}` | {} | {} | {} |\n",
                       key.path.substr(section.empty() ? 0 : section.size() + 1), key.is_extension ? " **ext**" : "",
                       key.type, to_flow_yaml(key.get(defaults)), range_text(key), to_string(key.key_class), key.doc);
  }
  return out + detectron_reference();
}

}  // namespace lockstep
