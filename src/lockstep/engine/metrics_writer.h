// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

#include "lockstep/engine/trainer.h"

namespace lockstep {

// Appends to metrics.jsonl: one JSON object per line, flushed at once; never NaN (null instead).
class MetricsWriter {
 public:
  // Opens for appending. When a run goes on, lines of steps after `finished_steps` are dropped first: they
  // come again. kIo when the file cannot be written.
  MetricsWriter(const std::string& path, std::int64_t finished_steps);

  // Whether the file tells of an evaluation after this step.
  bool evaluated(std::int64_t step) const;

  void write(const StepReport& report);
  void write(const EvalReport& report);

 private:
  void line(const std::string& text);

  std::string path_;
  std::ofstream file_;
};

}  // namespace lockstep
