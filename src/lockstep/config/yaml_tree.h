// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "lockstep/config/value.h"

namespace lockstep {

// A place in a file; line and column count from 1.
struct Mark {
  int line = 1;
  int column = 1;
};

// One node of a YAML document, with the place it stands at. Aliases are expanded and `<<` merges applied.
struct YamlNode {
  enum class Kind { kScalar, kSequence, kMapping };
  struct Member;

  Kind kind = Kind::kScalar;
  Mark mark;
  Value scalar;                 // kScalar: resolved by resolve_plain_scalar, or the quoted text
  std::vector<YamlNode> items;  // kSequence
  std::vector<Member> members;  // kMapping, in the order of the file, names unique
};

struct YamlNode::Member {
  std::string name;
  Mark mark;
  YamlNode value;
};

// Reads one YAML document whose root is a mapping (an empty text gives an empty mapping). `file_name` is only
// for messages. A byte order mark and CRLF line ends are read. Everything else that could be misread is an
// error of kind kConfig with file, line and column: a second document, invalid UTF-8, control characters, tabs
// as indentation, duplicate keys, tags, keys that are not scalars, aliases that expand beyond 100,000 nodes,
// nesting deeper than 64, texts above 1 MiB. The one tag that is read is
// the list expression of Detectron2's RetinaNet files (list_expression.h).
YamlNode read_yaml(std::string_view text, const std::string& file_name);

// The node without its places.
Value to_value(const YamlNode& node);

}  // namespace lockstep
