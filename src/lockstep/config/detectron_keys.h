// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/config/value.h"

namespace lockstep {

// The keys of Detectron (core/config.py with its deprecated and renamed ones) and of its older engine that are not keys
// of Lockstep, and what each is here.

enum class DetectronMeaning {
  kRenamed,   // a key here with the same values
  kMapped,    // values of keys here that follow from its value
  kJoint,     // values of keys here that follow from it and other names (detectron_joint.h)
  kOnly,      // no key here; one value is what Lockstep does
  kNoEffect,  // nothing that training or evaluation computes depends on it
  kRefused,   // no exact translation
};

// Keys here and their values.
using Assignments = std::vector<std::pair<std::string, Value>>;

struct DetectronKey {
  std::string path;  // "TRAIN.SCALES"
  DetectronMeaning meaning = DetectronMeaning::kRenamed;
  std::vector<std::string> targets;    // the keys here that it sets, or (kRefused) the ones to write instead
  std::optional<Value> default_value;  // Detectron's, where a whole recipe needs it
  std::string note;                    // what the keys do not say
  std::optional<Value> only = {};      // kOnly
  std::string wanted = {};             // kMapped: the values that `map` takes, in words
  std::function<std::optional<Assignments>(const Value&)> map = {};  // kMapped: nullopt for any other value
};

// All of them, by section, in the order of Detectron's file.
const std::vector<DetectronKey>& detectron_keys();

// The one of that path, or nullptr.
const DetectronKey* find_detectron_key(std::string_view path);

// True when Detectron has keys below the path ("TRAIN").
bool is_detectron_section(std::string_view path);

// What the key is here, in words, for docs/config.md and messages.
std::string describe_meaning(const DetectronKey& key);

// What every recipe of Detectron means without saying it, where Detectron2's default differs.
const Assignments& detectron_implied();

}  // namespace lockstep
