// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/data_report.h"

#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/base/log.h"

namespace lockstep {
namespace {

// The file of an example and the place in it.
std::string spot(const RuleExample& example) {
  return example.place.empty() ? example.file : example.file + ":" + example.place;
}

std::string example_text(const RuleExample& example, const std::string& source) {
  std::string text = example.record;
  const std::string where = spot(example);
  if (where != source && !where.empty()) text += (text.empty() ? "" : " of ") + where;
  if (!example.detail.empty()) text += (text.empty() ? "" : ", ") + example.detail;
  return text;
}

}  // namespace

void DataReport::begin(const std::string& source) {
  const auto known =
      std::find_if(sources_.begin(), sources_.end(), [&](const Source& one) { return one.name == source; });
  current_ = static_cast<std::size_t>(known - sources_.begin());
  if (known == sources_.end()) sources_.push_back({source, {}});
}

DataReport::Entry& DataReport::entry(Rule rule) {
  LS_ASSERT(current_ < sources_.size(), "a data report got a finding before its source");
  return sources_[current_].entries[static_cast<std::size_t>(rule)];
}

void DataReport::add_example(Rule rule, RuleExample example) {
  if (rule_info(rule).policy == Policy::kFail && !collects()) {
    LS_CHECK(kData, !example.record.empty(), "{}: {}", spot(example), example.detail);
    LS_THROW(kData, "{} of {} {}", example.record, spot(example), example.detail);
  }
  entry(rule).examples.push_back(std::move(example));
}

void DataReport::fail(Rule rule, const Error& error, const std::string& file, const std::string& record) {
  if (!collects() || error.kind() != ErrorKind::kData) throw Error(error);
  hit(rule, [&] { return RuleExample{file, record, error.message()}; });
}

void DataReport::append(const DataReport& later) {
  for (const Source& source : later.sources_) {
    begin(source.name);
    for (std::size_t rule = 0; rule < source.entries.size(); ++rule) {
      const Entry& from = source.entries[rule];
      Entry& to = sources_[current_].entries[rule];
      to.count += from.count;
      const std::size_t room = kExamples - std::min(kExamples, to.examples.size());
      const auto end = from.examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, from.examples.size()));
      to.examples.insert(to.examples.end(), from.examples.begin(), end);
    }
  }
}

std::int64_t DataReport::count(Rule rule) const {
  std::int64_t sum = 0;
  for (const Source& source : sources_) sum += source.of(rule).count;
  return sum;
}

std::int64_t DataReport::count(Policy policy) const {
  std::int64_t sum = 0;
  for (const RuleInfo& rule : rule_table()) sum += rule.policy == policy ? count(rule.rule) : 0;
  return sum;
}

void DataReport::log() const {
  for (const Source& source : sources_) {
    for (const RuleInfo& rule : rule_table()) {
      const Entry& found = source.of(rule.rule);
      if (found.count == 0 || !rule.at_start) continue;
      std::string line = fmt::format("{}: {} {} (first: {})", source.name, found.count, rule.message,
                                     example_text(found.examples[0], source.name));
      const bool many = rule.policy == Policy::kDrop && 100 * found.count > source.boxes + found.count;
      for (std::size_t i = 1; many && i < found.examples.size(); ++i) {
        line += fmt::format("\n  {}", example_text(found.examples[i], source.name));
      }
      log_warning("data", "{}", line);
    }
  }
}

std::string DataReport::text() const {
  std::string text;
  for (const Source& source : sources_) {
    text += source.name + "\n";
    bool clean = true;
    for (const RuleInfo& rule : rule_table()) {
      const Entry& found = source.of(rule.rule);
      if (found.count == 0) continue;
      clean = false;
      text += fmt::format("  {:<4} {:>7}  {}: {}\n", to_string(rule.policy), found.count, rule.name, rule.message);
      for (const RuleExample& example : found.examples) text += "         " + example_text(example, source.name) + "\n";
    }
    if (clean) text += "  nothing to report\n";
  }
  return text;
}

std::string DataReport::json() const {
  std::string text = "[";
  for (const Source& source : sources_) {
    for (const RuleInfo& rule : rule_table()) {
      const Entry& found = source.of(rule.rule);
      if (found.count == 0) continue;
      text += fmt::format("{}{{\"source\": {}, \"rule\": \"{}\", \"policy\": \"{}\", \"count\": {}, \"examples\": [",
                          text.size() > 1 ? ", " : "", json_quote(source.name), rule.name, to_string(rule.policy),
                          found.count);
      for (const RuleExample& example : found.examples) {
        text += fmt::format("{}{{\"file\": {}, \"record\": {}, \"detail\": {}, \"place\": {}}}",
                            text.ends_with('[') ? "" : ", ", json_quote(example.file), json_quote(example.record),
                            json_quote(example.detail), json_quote(example.place));
      }
      text += "]}";
    }
  }
  return text + "]";
}

}  // namespace lockstep
