// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/detectron_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "lockstep/base/text.h"
#include "lockstep/config/assign_key.h"
#include "lockstep/config/literal.h"

namespace lockstep {
namespace {

constexpr char kBody[] = "MODEL.CONV_BODY";

// Detectron's files write tuples as texts, as Detectron2's do.
Value decoded(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return value;
  return parse_literal(*text).value_or(value);
}

std::optional<double> number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  return std::nullopt;
}

bool same(const Value& a, const Value& b) { return a == b || (number(a) && number(a) == number(b)); }

}  // namespace

void DetectronNames::state_key(const std::string& path, const std::string& where) {
  claim(path, {path, where, source_, ++order_}, false);
}

void DetectronNames::state_name(const DetectronKey& key, const Value& value, const std::string& where) {
  const Statement statement{key.path, where, source_, ++order_, decoded(value)};
  if (key.meaning == DetectronMeaning::kRefused) {
    problems_.add(fmt::format("{}: {}: a name of Detectron without an exact meaning here ({}){}", where, key.path,
                              key.note, key.targets.empty() ? "" : "; write " + join_words(key.targets)));
    return;
  }
  if (key.meaning == DetectronMeaning::kOnly && !same(statement.value, *key.only)) {
    problems_.add(fmt::format("{}: {}: found {}, but this name of Detectron has only one value here, {} ({})", where,
                              key.path, describe(statement.value), to_flow_yaml(*key.only), key.note));
    return;
  }
  for (const std::string& target : key.targets) {
    if (!claim(target, statement, key.meaning == DetectronMeaning::kJoint)) return;
  }
  if (key.meaning == DetectronMeaning::kJoint) {
    joint_[key.path] = statement;
  } else if (key.targets.empty()) {
    config_.notices.push_back(fmt::format("{}: Detectron's {}: {}", where, key.path, describe_meaning(key)));
  } else {
    const auto note = key.note.empty() ? std::string() : " (" + key.note + ")";
    report({key.path}, translate(key, statement), where, note);
  }
}

void DetectronNames::report(const std::vector<std::string>& names, const Assignments& assignments,
                            const std::string& where, const std::string& note) {
  if (assignments.empty()) return;
  std::vector<std::string> settings;
  for (const auto& [target, value] : assignments) settings.push_back(target + " " + to_flow_yaml(value));
  config_.notices.push_back(
      fmt::format("{}: Detectron's {} -> {}{}", where, join_words(names), join_words(settings), note));
}

bool DetectronNames::claim(const std::string& target, const Statement& statement, bool is_joint) {
  const auto before = stated_.find(target);
  const bool is_same_source = before != stated_.end() && before->second.source == statement.source;
  if (is_same_source && before->second.name != statement.name &&
      !(is_joint && joint_.find(before->second.name) != joint_.end())) {
    const bool is_same_place = before->second.where == statement.where;
    problems_.add(fmt::format("{}: {} states again what {}{} has stated; keep one of them", statement.where,
                              statement.name, before->second.name,
                              is_same_place ? "" : " (" + before->second.where + ")"));
    return false;
  }
  stated_[target] = statement;
  return true;
}

bool DetectronNames::assign(const std::string& target, const Value& value, const Statement& statement) {
  return assign_key(config_, *find_key(target), value, statement.where, statement.name, problems_);
}

Assignments DetectronNames::translate(const DetectronKey& key, const Statement& statement) {
  Assignments stated;
  if (key.meaning == DetectronMeaning::kRenamed) {
    stated = {{key.targets.front(), statement.value}};
  } else if (key.meaning == DetectronMeaning::kMapped) {
    const auto assignments = key.map(statement.value);
    if (!assignments) {
      problems_.add(
          fmt::format("{}: {}: found {}, wanted {}", statement.where, key.path, describe(statement.value), key.wanted));
      return {};
    }
    stated = *assignments;
  }
  return assign_all(stated, statement);
}

Assignments DetectronNames::assign_all(const Assignments& assignments, const Statement& statement) {
  Assignments taken;
  for (const auto& [target, value] : assignments) {
    if (assign(target, value, statement)) taken.emplace_back(target, find_key(target)->get(config_));
  }
  return taken;
}

void DetectronNames::resolve(const DetectronFamily& family, bool is_whole) {
  std::vector<std::string> names = family.members;
  names.insert(names.end(), family.shared.begin(), family.shared.end());
  std::vector<std::string> absent;
  Statement last{"", "", 0, 0};  // of the members; none: only defaults
  bool is_stated = false;
  for (const std::string& name : names) {
    const auto found = joint_.find(name);
    if (found == joint_.end()) {
      absent.push_back(name);
      continue;
    }
    if (found->second.order > last.order) last = found->second;
    is_stated |= std::find(family.members.begin(), family.members.end(), name) != family.members.end();
  }
  if (!is_stated && !is_whole) return;
  read_.insert(names.begin(), names.end());
  if (is_stated && !is_whole && (family.needs_body || !absent.empty())) {
    const DetectronKey& key = *find_detectron_key(last.name);
    problems_.add(fmt::format("{}: {}: this name of Detectron has a meaning only beside {}; write {}", last.where,
                              last.name, family.needs_body ? kBody : join_words(absent), join_words(key.targets)));
    return;
  }
  Assignments assignments;
  const auto value = [&](const std::string& path) {
    const auto found = joint_.find(path);
    return found != joint_.end() ? found->second.value : find_detectron_key(path)->default_value.value_or(Value(""));
  };
  if (const auto problem = family.resolve(value, assignments)) {
    const auto at = joint_.find(problem->substr(0, problem->find_first_of(":, ")));  // the name it is about
    const std::string& where = at != joint_.end() ? at->second.where : last.where;
    const bool is_default = at == joint_.end() && problem->find(" and ") == std::string::npos;
    problems_.add((where.empty() ? joint_.at(kBody).where : where) + ": " + *problem +
                  (is_default ? " (it is not stated; this is Detectron's default)" : ""));
    return;
  }
  Assignments wanted;
  for (const auto& [target, setting] : assignments) {
    const auto direct = stated_.find(target);
    const bool is_overridden = direct != stated_.end() && direct->second.order > last.order;
    if (is_overridden || (last.order == 0 && config_.is_set(target))) continue;
    wanted.emplace_back(target, setting);
  }
  const Assignments taken = assign_all(wanted, last.order == 0 ? joint_.at(kBody) : last);
  if (last.order == 0) return;
  std::vector<std::string> stated;
  for (const std::string& name : names) {
    if (joint_.find(name) != joint_.end()) stated.push_back(name);
  }
  report(stated, taken, last.where, "");
}

void DetectronNames::take_defaults() {
  const Statement& body = joint_.at(kBody);
  for (const DetectronKey& key : detectron_keys()) {
    const bool is_set = std::any_of(key.targets.begin(), key.targets.end(),
                                    [&](const std::string& target) { return config_.is_set(target); });
    if (key.meaning == DetectronMeaning::kJoint || !key.default_value || is_set) continue;
    translate(key, {key.path, body.where, body.source, 0, *key.default_value});
  }
  for (const auto& [target, value] : detectron_implied()) {
    if (!config_.is_set(target)) assign(target, value, body);
  }
  config_.notices.push_back(body.where +
                            ": a recipe of Detectron: what it leaves out has Detectron's default, and the parameters "
                            "are updated by its rule (SOLVER.UPDATE_RULE detectron)");
}

void DetectronNames::finish() {
  const bool is_whole = joint_.find(kBody) != joint_.end();
  for (const DetectronFamily& family : detectron_families()) resolve(family, is_whole);
  if (is_whole) take_defaults();
  for (const auto& [name, statement] : joint_) {
    if (read_.count(name) > 0) continue;
    problems_.add(
        fmt::format("{}: {}: this name of Detectron has a meaning only beside TRAIN.IMS_PER_BATCH, "
                    "TRAIN.SNAPSHOT_ITERS or {}; the number of workers is `--workers` on the command line",
                    statement.where, name, kBody));
  }
}

}  // namespace lockstep
