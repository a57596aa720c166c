// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/base/utf8.h"
#include "lockstep/config/list_expression.h"
#include "lockstep/config/scalar.h"
#include "lockstep/config/yaml_text_check.h"

namespace lockstep {
namespace {

constexpr int kMaxDepth = 64;
constexpr int kMaxNodes = 100000;
constexpr char kEvalTag[] = "tag:yaml.org,2002:python/object/apply:eval";

// A node as the parser reports it; aliases share the node that they name.
struct RawNode {
  YamlNode::Kind kind = YamlNode::Kind::kScalar;
  Mark mark;
  std::string tag;  // "?" plain, "!" quoted, else an explicit tag
  std::string text;
  bool complete = false;
  std::vector<std::shared_ptr<RawNode>> children;  // of a mapping: key, value, key, value ...
};

Mark to_mark(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

// yaml-cpp writes the escapes \N (U+0085) and \_ (U+00A0) as one byte, which is not UTF-8. The file's own bytes are, so
// such a byte is one of the two.
std::string with_whole_escapes(const std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (;;) {
    const std::size_t length = find_invalid_utf8(std::string_view(text).substr(done));
    out.append(text, done, length);
    done += length;
    if (done == text.size()) return out;
    out.append("\xC2").append(1, text[done++]);
  }
}

// Collects the parser's events into raw nodes.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file_name) : file_name_(file_name) {}

  const std::shared_ptr<RawNode>& root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, "?", anchor, Kind::kScalar); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    add(mark, tag, anchor, Kind::kScalar).text = with_whole_escapes(value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Kind::kSequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Kind::kMapping);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    const Mark at = to_mark(mark);
    LS_CHECK(kConfig, found != anchors_.end() && found->second->complete,
             "{}:{}:{}: found an alias to a node that contains it, wanted a finished node", file_name_, at.line,
             at.column);
    attach(found->second);
  }

 private:
  using Kind = YamlNode::Kind;

  RawNode& add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Kind kind) {
    auto node = std::make_shared<RawNode>();
    node->kind = kind;
    node->mark = to_mark(mark);
    node->tag = tag;
    node->complete = kind == Kind::kScalar;
    if (anchor != 0) anchors_[anchor] = node;
    attach(node);
    return *node;
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Kind kind) {
    LS_CHECK(kConfig, static_cast<int>(open_.size()) < kMaxDepth,
             "{}:{}:{}: found nesting deeper than {} levels, wanted a config", file_name_, mark.line + 1,
             mark.column + 1, kMaxDepth);
    add(mark, tag, anchor, kind);
    open_.push_back(last_);
  }
  void close() {
    open_.back()->complete = true;
    open_.pop_back();
  }
  void attach(const std::shared_ptr<RawNode>& node) {
    last_ = node;
    if (open_.empty()) {
      root_ = node;
    } else {
      open_.back()->children.push_back(node);
    }
  }

  const std::string& file_name_;
  std::shared_ptr<RawNode> root_;
  std::shared_ptr<RawNode> last_;
  std::vector<std::shared_ptr<RawNode>> open_;
  std::map<YAML::anchor_t, std::shared_ptr<RawNode>> anchors_;
};

// Turns raw nodes into the final tree: resolves scalars, expands aliases, merges `<<`, finds duplicates.
class TreeFinisher {
 public:
  explicit TreeFinisher(const std::string& file_name) : file_name_(file_name) {}

  YamlNode finish(const RawNode& raw, int depth = 0) {
    LS_CHECK(kConfig, ++nodes_ <= kMaxNodes && depth <= kMaxDepth,
             "{}: found aliases that expand to more than {} nodes or {} levels, wanted a config", file_name_, kMaxNodes,
             kMaxDepth);
    YamlNode node;
    node.kind = raw.kind;
    node.mark = raw.mark;
    if (raw.tag == kEvalTag) return finish_expression(raw);
    check_tag(raw);
    switch (raw.kind) {
      case YamlNode::Kind::kScalar:
        node.scalar = raw.tag == "?" ? resolve_plain_scalar(raw.text) : Value(raw.text);
        break;
      case YamlNode::Kind::kSequence:
        for (const auto& child : raw.children) node.items.push_back(finish(*child, depth + 1));
        break;
      case YamlNode::Kind::kMapping: finish_mapping(raw, depth, node); break;
    }
    return node;
  }

 private:
  std::string place(const Mark& mark) const { return fmt::format("{}:{}:{}", file_name_, mark.line, mark.column); }

  void check_tag(const RawNode& raw) const {
    const bool is_core =
        raw.tag == "tag:yaml.org,2002:seq" || raw.tag == "tag:yaml.org,2002:map" || raw.tag == "tag:yaml.org,2002:str";
    LS_CHECK(kConfig, raw.tag.empty() || raw.tag == "?" || raw.tag == "!" || is_core,
             "{}: found the YAML tag '{}', wanted a plain value; the one tag that is read is "
             "!!python/object/apply:eval with a list of arithmetic",
             place(raw.mark), raw.tag);
  }

  YamlNode finish_expression(const RawNode& raw) {
    const bool shape_ok = raw.kind == YamlNode::Kind::kSequence && raw.children.size() == 1 &&
                          raw.children[0]->kind == YamlNode::Kind::kScalar;
    LS_CHECK(kConfig, shape_ok, "{}: found a !!python/object/apply:eval without one text in brackets, wanted [\"...\"]",
             place(raw.mark));
    try {
      return from_value(evaluate_list_expression(raw.children[0]->text), raw.mark);
    } catch (Error& error) {
      throw error.add_note("at " + place(raw.children[0]->mark));
    }
  }

  static YamlNode from_value(const Value& value, const Mark& mark) {
    YamlNode node;
    node.mark = mark;
    if (const auto* list = std::get_if<Value::List>(&value.data)) {
      node.kind = YamlNode::Kind::kSequence;
      for (const Value& item : *list) node.items.push_back(from_value(item, mark));
    } else {
      node.scalar = value;
    }
    return node;
  }

  void finish_mapping(const RawNode& raw, int depth, YamlNode& node) {
    std::map<std::string, Mark> own;
    std::vector<YamlNode::Member> merged;
    for (std::size_t i = 0; i + 1 < raw.children.size(); i += 2) {
      const RawNode& key = *raw.children[i];
      LS_CHECK(kConfig, key.kind == YamlNode::Kind::kScalar, "{}: found a key that is not a name, wanted NAME: value",
               place(key.mark));
      check_tag(key);
      YamlNode value = finish(*raw.children[i + 1], depth + 1);
      if (key.text == "<<" && key.tag == "?") {
        collect_merge(value, key.mark, merged);
        continue;
      }
      const auto [first, is_new] = own.emplace(key.text, key.mark);
      LS_CHECK(kConfig, is_new, "{}: found the key '{}' a second time (first at line {}), wanted it once",
               place(key.mark), key.text, first->second.line);
      node.members.push_back({key.text, key.mark, std::move(value)});
    }
    // The mapping's own keys win; among merged mappings the earlier one.
    for (auto& member : merged) {
      if (own.emplace(member.name, member.mark).second) node.members.push_back(std::move(member));
    }
  }

  void collect_merge(YamlNode& value, const Mark& mark, std::vector<YamlNode::Member>& merged) const {
    const auto take = [&](YamlNode& node) {
      LS_CHECK(kConfig, node.kind == YamlNode::Kind::kMapping,
               "{}: found a '<<' whose value is no mapping, wanted an alias to one", place(mark));
      for (auto& member : node.members) merged.push_back(std::move(member));
    };
    if (value.kind == YamlNode::Kind::kSequence) {
      for (auto& item : value.items) take(item);
    } else {
      take(value);
    }
  }

  const std::string& file_name_;
  int nodes_ = 0;
};

bool says_nothing(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t first = line.find_first_not_of(" \t");
    const bool marker = line.substr(0, 3) == "---" || line.substr(0, 3) == "...";
    if (first != std::string_view::npos && line[first] != '#' && !marker) return false;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return true;
}

}  // namespace

YamlNode read_yaml(std::string_view text, const std::string& file_name) {
  const std::string clean = check_yaml_text(text, file_name);
  YamlNode empty;
  empty.kind = YamlNode::Kind::kMapping;
  if (says_nothing(clean)) return empty;
  std::istringstream stream(clean);
  TreeBuilder builder(file_name);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeBuilder rest(file_name);
    const bool more = parser.HandleNextDocument(rest);
    LS_CHECK(kConfig, !more, "{}: found text after the end of the document's mapping, wanted one mapping of KEY: value",
             file_name);
  } catch (const YAML::Exception& error) {
    LS_THROW(kConfig, "{}:{}:{}: this is not YAML: {}", file_name, error.mark.line + 1, error.mark.column + 1,
             error.msg);
  }
  LS_CHECK(kConfig, builder.root() && builder.root()->kind == YamlNode::Kind::kMapping,
           "{}: found a document that is not a mapping, wanted KEY: value lines (see docs/config.md)", file_name);
  return TreeFinisher(file_name).finish(*builder.root());
}

Value to_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kScalar: return node.scalar;
    case YamlNode::Kind::kSequence: {
      Value::List list;
      for (const YamlNode& item : node.items) list.push_back(to_value(item));
      return Value(std::move(list));
    }
    case YamlNode::Kind::kMapping: break;
  }
  Value::Entries entries;
  for (const auto& member : node.members) entries.push_back({member.name, to_value(member.value)});
  return Value(std::move(entries));
}

}  // namespace lockstep
