// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/config/value.h"

namespace lockstep {

// What Lockstep does with a key.
enum class KeyClass {
  kUsed,         // acts as documented
  kNoEffect,     // Detectron2 knows it; nothing that this build runs depends on it
  kUnsupported,  // only the values in `supported` can be run; another value would change the result
};

std::string_view to_string(KeyClass key_class);

// One key of a config. The table of keys is the only list of keys: reading, overriding, dumping, checking
// and docs/config.md all come from it.
struct KeyInfo {
  std::string path;  // "SOLVER.BASE_LR"
  std::string type;  // type_name of the member
  std::string doc;   // one or two sentences
  KeyClass key_class = KeyClass::kUsed;
  bool is_extension = false;      // not a key of Detectron2
  bool absence_matters = false;   // "not set" differs from "set to the default"
  bool accepts_one_text = false;  // a bare text stands for a list of one
  bool is_path = false;           // ${NAME} in its texts is replaced by the environment variable
  double min = -std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::max();
  std::vector<std::string> choices;  // the only texts allowed; empty: any
  std::string supported_text;        // the values that can be run, in words; empty: all
  std::function<bool(const Value&)> is_supported;

  std::function<Value(const Config&)> get;
  // Fits the value to the key's type and range and assigns it; returns what was wanted when it does not fit.
  std::function<std::optional<std::string>(Config&, const Value&)> set;
};

// The documented group of keys that a dotted prefix names, such as "MODEL.RPN".
struct SectionInfo {
  std::string path;
  std::string doc;
};

// All keys in the order in which they are dumped and documented.
const std::vector<KeyInfo>& key_table();
const std::vector<SectionInfo>& section_table();

// The key of that path, or nullptr.
const KeyInfo* find_key(std::string_view path);

// True when keys stand below the path ("MODEL.RPN").
bool is_section(std::string_view path);

// Advice for a path that is no key: the key it was probably meant to be, in words, or an empty text.
std::string advice_for_unknown_key(std::string_view path);

}  // namespace lockstep
