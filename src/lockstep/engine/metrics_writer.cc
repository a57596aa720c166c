// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/metrics_writer.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/eval/report.h"
#include "lockstep/io/atomic_file.h"

namespace lockstep {
namespace {

constexpr std::string_view kStepKey = "{\"step\": ";
constexpr std::string_view kEvalSecondsKey = "\"eval_seconds\": ";  // of evaluations alone

// The step that a line of ours belongs to; -1 for a line cut short.
std::int64_t step_of(const std::string& line) {
  if (!line.starts_with(kStepKey) || !line.ends_with('}')) return -1;
  std::int64_t step = -1;
  std::from_chars(line.data() + kStepKey.size(), line.data() + line.size(), step);
  return step;
}

std::vector<std::string> lines_up_to(const std::string& path, std::int64_t step) {
  std::vector<std::string> kept;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::int64_t at = step_of(line);
    if (at >= 0 && at <= step) kept.push_back(line);
  }
  return kept;
}

}  // namespace

MetricsWriter::MetricsWriter(const std::string& path, std::int64_t finished_steps) : path_(path) {
  std::string kept;
  for (const std::string& text : lines_up_to(path, finished_steps)) kept += text + '\n';
  if (!kept.empty()) write_file_atomically(path, kept);
  file_.open(path, kept.empty() ? std::ios::trunc : std::ios::app);
  LS_CHECK(kIo, file_.good(), "cannot write {}: {}", path, std::strerror(errno));
}

bool MetricsWriter::evaluated(std::int64_t step) const {
  const std::vector<std::string> lines = lines_up_to(path_, step);
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& text) {
    return step_of(text) == step && text.find(kEvalSecondsKey) != std::string::npos;
  });
}

void MetricsWriter::write(const StepReport& report) {
  std::string text = fmt::format("{}{}, \"total_loss\": {}", kStepKey, report.step, json_number(report.total_loss));
  for (const auto& [name, value] : report.losses) text += fmt::format(", {}: {}", json_quote(name), json_number(value));
  std::string stages;
  for (const auto& [name, seconds] : report.loader_stages) {
    stages += fmt::format("{}{}: {:.6f}", stages.empty() ? "" : ", ", json_quote(name), seconds);
  }
  line(text + fmt::format(", \"lr\": {}, \"seconds\": {:.6f}, \"images_per_second\": {:.3f}, \"loader_wait\": {:.6f}, "
                          "\"loader_waits\": [{:.6f}], \"loader_stages\": {{{}}}, \"eta_seconds\": {:.1f}}}",
                          json_number(report.learning_rate), report.seconds, report.images_per_second,
                          report.loader_wait_seconds, fmt::join(report.loader_waits, ", "), stages,
                          report.eta_seconds));
}

void MetricsWriter::write(const EvalReport& report) {
  std::string text = fmt::format("{}{}", kStepKey, report.step);
  for (std::size_t i = 0; i < report.stats.size(); ++i) {
    // -1 stands for "no ground truth of this kind"; JSON says null.
    const std::string value = report.stats[i] < 0 ? "null" : json_number(report.stats[i]);
    text += fmt::format(", \"bbox/{}\": {}", coco_stat_names()[i], value);
  }
  line(text + fmt::format(", {}{:.3f}}}", kEvalSecondsKey, report.seconds));
}

void MetricsWriter::line(const std::string& text) {
  file_ << text << '\n';
  file_.flush();
  LS_CHECK(kIo, file_.good(), "cannot write {}: {}", path_, std::strerror(errno));
}

}  // namespace lockstep
