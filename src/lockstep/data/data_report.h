// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/base/error.h"
#include "lockstep/data/rules.h"

namespace lockstep {

// One record that a rule applied to.
struct RuleExample {
  std::string file;        // annotation or image file
  std::string record;      // "annotation 17 (number 5 of 'annotations')"; may be empty
  std::string detail;      // what was found, and for kFail what was wanted
  std::string place = {};  // line and column in the file, "3:17"; may be empty
};

// What the rules found in data sets: a counter and the first examples of every rule, by source.
class DataReport {
 public:
  enum class Mode {
    kStop,     // the first record that fails throws, as training and evaluation want it
    kCollect,  // records that fail are counted and left out, as `lockstep data check` wants it
  };
  static constexpr std::size_t kExamples = 5;

  struct Entry {
    std::int64_t count = 0;
    std::vector<RuleExample> examples;
  };
  struct Source {
    std::string name;  // annotation file, folder or data.yaml
    std::array<Entry, static_cast<std::size_t>(Rule::kCount)> entries;
    std::int64_t boxes = 0;  // that are used
    const Entry& of(Rule rule) const { return entries[static_cast<std::size_t>(rule)]; }
  };

  explicit DataReport(Mode mode = Mode::kStop) : mode_(mode) {}

  // What follows was found in `source`. A source that is known goes on.
  void begin(const std::string& source);
  const std::string& source() const { return sources_.at(current_).name; }  // the current one

  // Counts; `describe()` gives the RuleExample and is called for the first few only. In mode kStop a rule whose policy
  // is kFail throws kData with the example's text.
  template <typename Describe>
  void hit(Rule rule, const Describe& describe) {
    if (entry(rule).count++ < static_cast<std::int64_t>(kExamples)) add_example(rule, describe());
  }
  // A record that gave `error`: rethrown in mode kStop and when it is no kData.
  void fail(Rule rule, const Error& error, const std::string& file, const std::string& record);

  // Adds the findings of a report of the same mode, as though they had been made now. Their sources become current.
  void append(const DataReport& later);

  // The current source gave this many boxes to use.
  void set_boxes(std::int64_t boxes) { sources_.at(current_).boxes = boxes; }

  Mode mode() const { return mode_; }
  bool collects() const { return mode_ == Mode::kCollect; }
  const std::vector<Source>& sources() const { return sources_; }
  std::int64_t count(Rule rule) const;
  std::int64_t count(Policy policy) const;

  // Logs the rules that concern a run (RuleInfo::at_start): one line for each rule and source, with its
  // first example, or all that are known where more than 1 % of the boxes are dropped.
  void log() const;
  // The same for people and machines, all rules that found something, with examples.
  std::string text() const;
  std::string json() const;

 private:
  Entry& entry(Rule rule);
  void add_example(Rule rule, RuleExample example);

  Mode mode_;
  std::vector<Source> sources_;
  std::size_t current_ = 0;
};

}  // namespace lockstep
