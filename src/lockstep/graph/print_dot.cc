// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/graph/operator.h"
#include "lockstep/graph/print.h"
#include "lockstep/graph/stages.h"

namespace lockstep {
namespace {

// Levels of a name, as in "backbone.bottom_up.res2", that stay apart in the picture.
constexpr int kModuleDepth = 3;
constexpr std::size_t kLineWidth = 26;  // of a box, in characters

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// A blob's name without its scope and without the marks of the gradient pass: "backbone.res2.0.conv1" of
// "cpu_0/_backbone.res2.0.conv1_grad_autosplit_1".
std::string plain_name(const std::string& blob) {
  std::string name = blob.substr(blob.rfind('/') + 1);
  if (name.starts_with('_')) name.erase(0, 1);
  name = name.substr(0, name.find("_grad"));
  for (const char* parameter : {".weight", ".bias"}) {  // belong to the layer that they are of
    if (name.ends_with(parameter)) name.erase(name.rfind('.'));
  }
  return name;
}

// The module that an operator belongs to, read off the name of what it makes; empty when the name has no levels.
std::string module_of(const OperatorDef& op) {
  const std::string name = op.output_size() > 0 ? plain_name(op.output(0)) : "";
  std::size_t end = std::string::npos;
  std::size_t at = name.find('.');
  for (int depth = 0; depth < kModuleDepth && at != std::string::npos; ++depth) {
    end = at;
    at = name.find('.', at + 1);
  }
  return end == std::string::npos ? "" : name.substr(0, end);
}

// Operators that are drawn as one box.
struct Block {
  DeviceId device;
  Stage stage;
  std::string title;  // the module, or the type of its only kind of operator
  std::map<std::string, int> types;
  std::set<std::size_t> parents;  // blocks whose blobs it reads
};

// The picture of a net: blocks and the blobs between them.
class Picture {
 public:
  explicit Picture(const NetDef& net) {
    const std::vector<Stage> stages = stages_of(net);
    for (int k = 0; k < net.op_size(); ++k) add(net.op(k), stages[static_cast<std::size_t>(k)]);
  }

  const std::vector<Block>& blocks() const { return blocks_; }
  const std::map<std::pair<std::size_t, std::size_t>, std::set<std::string>>& edges() const { return edges_; }

 private:
  void add(const OperatorDef& op, Stage stage) {
    std::map<std::size_t, std::set<std::string>> parents;  // with the blobs that come from them
    const auto read = [&](const std::string& name) {
      const auto writer = writers_.find(name);
      if (writer != writers_.end()) parents[writer->second].insert(name);
    };
    for (const std::string& name : op.input()) read(name);
    for (const std::string& name : op.control_input()) read(name);
    const std::size_t block = block_for(op, stage, parents);
    ++blocks_[block].types[op.type()];
    for (const auto& [parent, blobs] : parents) {
      if (parent == block) continue;
      blocks_[block].parents.insert(parent);
      edges_[{parent, block}].insert(blobs.begin(), blobs.end());
    }
    for (const std::string& name : op.output()) writers_[name] = block;
  }

  // The latest block of the operator's kind, unless joining it would lead the arrows round in a circle.
  std::size_t block_for(const OperatorDef& op, Stage stage,
                        const std::map<std::size_t, std::set<std::string>>& parents) {
    const DeviceId device = device_id(op.device_option());
    const bool by_module = stage == Stage::kForward || stage == Stage::kBackward;
    std::string title = by_module ? module_of(op) : "";
    if (title.empty()) title = op.type();
    const std::string key = to_string(device) + ' ' + stage_name(stage) + ' ' + title;
    const auto latest = latest_.find(key);
    if (latest != latest_.end()) {
      const std::size_t candidate = latest->second;
      const bool circle = std::any_of(parents.begin(), parents.end(), [&](const auto& parent) {
        return parent.first != candidate && descends(parent.first, candidate);
      });
      if (!circle) return candidate;
    }
    latest_[key] = blocks_.size();
    blocks_.push_back({device, stage, title, {}, {}});
    return blocks_.size() - 1;
  }

  bool descends(std::size_t block, std::size_t from) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> open = {block};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == from) return true;
      if (!seen.insert(at).second) continue;
      open.insert(open.end(), blocks_[at].parents.begin(), blocks_[at].parents.end());
    }
    return false;
  }

  std::vector<Block> blocks_;
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::string>> edges_;
  std::map<std::string, std::size_t> writers_;  // block that made a blob's current version
  std::map<std::string, std::size_t> latest_;   // block, by device, stage and title
};

const char* colour(Stage stage) {
  switch (stage) {
    case Stage::kInput: return "#e8e8e8";
    case Stage::kForward: return "#dcebf7";
    case Stage::kBackward: return "#fbe6d4";
    case Stage::kFold: return "#f3ecc8";
    case Stage::kAllReduce: return "#ead9f0";
    case Stage::kUpdate: return "#dcefdc";
  }
  return "white";
}

std::string label(const Block& block) {
  std::string text = block.title;
  if (block.types.size() == 1 && block.types.begin()->first == block.title) {
    const int count = block.types.begin()->second;
    return count > 1 ? fmt::format("{} ×{}", text, count) : text;
  }
  std::size_t line = kLineWidth;  // full, so that the types begin below the title
  for (const auto& [type, count] : block.types) {
    const std::string one = count > 1 ? fmt::format("{} ×{}", type, count) : type;
    const bool fits = line + one.size() < kLineWidth;
    text += (fits ? ", " : "\n") + one;
    line = fits ? line + one.size() : one.size();
  }
  return text;
}

std::string edge_label(const std::set<std::string>& blobs) {
  if (blobs.size() > 1) return fmt::format("{} blobs", blobs.size());
  const std::string name = blobs.begin()->substr(blobs.begin()->rfind('/') + 1);
  std::size_t at = name.rfind('.');
  // A number alone says nothing: "res2.1".
  if (at != std::string::npos && name.find_first_not_of("0123456789", at + 1) == std::string::npos) {
    at = at > 0 ? name.rfind('.', at - 1) : std::string::npos;
  }
  return name.substr(at + 1);
}

}  // namespace

std::string net_dot(const NetDef& net) {
  const Picture picture(net);
  std::map<DeviceId, std::map<Stage, std::string>> clusters;
  for (std::size_t b = 0; b < picture.blocks().size(); ++b) {
    const Block& block = picture.blocks()[b];
    std::string text = quoted(label(block));
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "\\n");
    clusters[block.device][block.stage] += fmt::format("      b{} [label={}];\n", b, text);
  }
  std::string text = fmt::format(
      "digraph {} {{\n  graph [fontname=\"Helvetica\"];\n"
      "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#606060\"];\n",
      quoted(net.name()));
  int cluster = 0;
  for (const auto& [device, stages] : clusters) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", cluster++, quoted(to_string(device)));
    for (const auto& [stage, nodes] : stages) {
      text += fmt::format("    subgraph cluster_{} {{\n      label={}; style=filled; color=\"{}\";\n{}    }}\n",
                          cluster++, quoted(stage_name(stage)), colour(stage), nodes);
    }
    text += "  }\n";
  }
  for (const auto& [ends, blobs] : picture.edges()) {
    // Every operator of the backward pass reads what the forward one of its module made: hints, not a structure.
    const bool kept = picture.blocks()[ends.first].stage < Stage::kBackward &&
                      picture.blocks()[ends.second].stage == Stage::kBackward;
    text += fmt::format("  b{} -> b{} [{}];\n", ends.first, ends.second,
                        kept ? "style=dashed, color=\"#c8c8c8\", weight=0" : "label=" + quoted(edge_label(blobs)));
  }
  return text + "}\n";
}

}  // namespace lockstep
