// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/step_trace.h"

#include <fmt/format.h>

#include <charconv>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"

namespace lockstep {
namespace {

// All of text as a number of a step, else -1.
std::int64_t step_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

constexpr double kCountPeriodUs = 1000;

std::string key_of(const OperatorDef& op) { return op.type() + ' ' + op.name(); }

// Row 0 is that of the steps.
std::string row_name(std::size_t tid, const std::string& name) {
  return fmt::format(
      "{{\"ph\": \"M\", \"pid\": 1, \"tid\": {0}, \"name\": \"thread_name\", \"args\": {{\"name\": {1}}}}},\n"
      "{{\"ph\": \"M\", \"pid\": 1, \"tid\": {0}, \"name\": \"thread_sort_index\", \"args\": {{\"sort_index\": {0}}}}}",
      tid, json_quote(name));
}

}  // namespace

StepRange parse_step_range(const std::string& text) {
  const std::string_view prefix = "steps=";
  StepRange range{-1, -1};
  if (text.starts_with(prefix)) {
    const std::string_view numbers = std::string_view(text).substr(prefix.size());
    const std::size_t colon = numbers.find(':');
    range.first = step_number(numbers.substr(0, colon));
    range.last = colon == std::string_view::npos ? range.first : step_number(numbers.substr(colon + 1));
  }
  LS_CHECK(kConfig, range.first >= 0 && range.last >= 0,
           "--trace is '{}'; wanted steps=FIRST:LAST, for example steps=10:12", text);
  LS_CHECK(kConfig, range.first >= 1, "--trace {}: the first step of a run is 1", text);
  LS_CHECK(kConfig, range.first <= range.last, "--trace {}: the first step stands behind the last; wanted steps={}:{}",
           text, range.last, range.first);
  return range;
}

StepTrace::StepTrace(const StepRange& range, const NetDef& step) : range_(range) {
  const std::vector<Stage> stages = stages_of(step);
  for (int k = 0; k < step.op_size(); ++k) stages_[key_of(step.op(k))] = stages[static_cast<std::size_t>(k)];
}

void StepTrace::begin_step(std::int64_t step) {
  if (!range_.contains(step)) return;
  current_ = step;
  current_begin_us_ = now_us();
  count_queues(current_begin_us_);
  recording_ = true;
}

void StepTrace::end_step(const std::vector<std::pair<std::string, double>>& figures) {
  if (!recording_.exchange(false)) return;
  const double now = now_us();
  steps_.push_back({current_, current_begin_us_, now - current_begin_us_, figures});
  count_queues(now);
}

void StepTrace::add_op(const OperatorDef& op, double seconds) {
  if (!recording_) return;
  const double end = now_us();
  const Stage stage = stages_.at(key_of(op));
  const std::lock_guard lock(mutex_);
  const auto key = std::make_pair(op.device_option().index(), std::this_thread::get_id());
  const std::size_t row = rows_.try_emplace(key, rows_.size()).first->second;
  bars_.push_back({op.type(), op.name(), stage, row, end - 1e6 * seconds, 1e6 * seconds});
  if (stage == Stage::kInput || end - counted_us_ >= kCountPeriodUs) count_queues(end);
}

void StepTrace::count_queues(double now) {
  if (!depths_) return;
  counted_us_ = now;
  for (const auto& [queue, depth] : depths_()) counts_.push_back({queue, now, depth});
}

std::string StepTrace::json() const {
  std::vector<std::string> lines = {
      "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": \"lockstep train\"}}",
      row_name(0, "steps")};
  // Rows in the order of the devices, whichever thread came first.
  std::vector<std::size_t> tids(rows_.size());
  std::map<int, int> lanes;  // of each device so far
  for (const auto& [key, row] : rows_) {
    tids[row] = lines.size() - 1;
    const int lane = lanes[key.first]++;
    lines.push_back(
        row_name(tids[row], fmt::format("cpu:{}{}", key.first, lane > 0 ? fmt::format(" lane {}", lane) : "")));
  }
  for (const Step& step : steps_) {
    std::string figures;
    for (const auto& [name, value] : step.figures) {
      figures += fmt::format("{}{}: {}", figures.empty() ? "" : ", ", json_quote(name), json_number(value));
    }
    lines.push_back(
        fmt::format("{{\"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": {:.3f}, \"dur\": {:.3f}, \"name\": \"step {}\", "
                    "\"cat\": \"step\", \"args\": {{{}}}}}",
                    step.begin_us, step.length_us, step.number, figures));
  }
  for (const Bar& bar : bars_) {
    lines.push_back(fmt::format(
        "{{\"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}, \"name\": {}, "
        "\"cat\": \"{}\", \"args\": {{\"operator\": {}}}}}",
        tids[bar.row], bar.begin_us, bar.length_us, json_quote(bar.type), stage_name(bar.stage), json_quote(bar.name)));
  }
  for (const Count& count : counts_) {
    lines.push_back(
        fmt::format("{{\"ph\": \"C\", \"pid\": 1, \"ts\": {:.3f}, \"name\": {}, \"args\": {{\"micro-batches\": {}}}}}",
                    count.at_us, json_quote(count.queue), count.value));
  }
  return fmt::format("{{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{}\n]}}\n", fmt::join(lines, ",\n"));
}

}  // namespace lockstep
