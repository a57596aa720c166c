// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "lockstep/config/config.h"
#include "lockstep/config/detectron_joint.h"
#include "lockstep/config/detectron_keys.h"
#include "lockstep/config/problems.h"

namespace lockstep {

// Translates names of Detectron while a config is read. A later source (a file over its base, overrides over files)
// wins as it does for keys; an old and a new name of one setting in the same source are a problem. Every translation
// adds a line to Config::notices.
class DetectronNames {
 public:
  DetectronNames(Config& config, ConfigProblems& problems) : config_(config), problems_(problems) {}

  // A new file, or the overrides, begins.
  void begin_source() { ++source_; }

  // A key of Lockstep is stated.
  void state_key(const std::string& path, const std::string& where);

  // A name of Detectron is stated.
  void state_name(const DetectronKey& key, const Value& value, const std::string& where);

  // After the last source: what follows from names together, and the defaults of a whole recipe of Detectron.
  void finish();

 private:
  struct Statement {
    std::string name;
    std::string where;
    int source = 0;
    int order = 0;
    Value value = {};
  };

  bool claim(const std::string& target, const Statement& statement, bool is_joint);
  bool assign(const std::string& target, const Value& value, const Statement& statement);
  // These assign and return what was taken, with the values that the keys got.
  Assignments translate(const DetectronKey& key, const Statement& statement);
  Assignments assign_all(const Assignments& assignments, const Statement& statement);
  void report(const std::vector<std::string>& names, const Assignments& assignments, const std::string& where,
              const std::string& note);
  void resolve(const DetectronFamily& family, bool is_whole);
  void take_defaults();

  Config& config_;
  ConfigProblems& problems_;
  int source_ = 0;
  int order_ = 0;
  std::map<std::string, Statement> stated_;  // by the path of a key here: the last name that set it
  std::map<std::string, Statement> joint_;   // by name: members of families
  std::set<std::string> read_;               // members that a family has read
};

}  // namespace lockstep
