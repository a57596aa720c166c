// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/training_time.h"

#include <charconv>
#include <cmath>

#include "lockstep/base/check.h"

namespace lockstep {

TrainingTime TrainingTime::of_epochs(double epochs) {
  LS_ASSERT(std::isfinite(epochs) && epochs >= 0, "found {} epochs, wanted at least 0", epochs);
  TrainingTime time;
  time.epochs_ = epochs;
  return time;
}

double TrainingTime::epochs() const {
  LS_ASSERT(in_epochs(), "{} iterations were asked for as epochs", iterations_);
  return *epochs_;
}

std::int64_t TrainingTime::iterations() const {
  LS_ASSERT(!in_epochs(), "{} epochs were asked for as iterations before the data set was known", *epochs_);
  return iterations_;
}

std::optional<TrainingTime> parse_epochs(std::string_view text) {
  constexpr std::string_view kUnit = "ep";
  if (!text.ends_with(kUnit)) return std::nullopt;
  text.remove_suffix(kUnit.size());
  while (text.ends_with(' ')) text.remove_suffix(1);
  double epochs = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, epochs);
  if (failed != std::errc() || stop != end || !std::isfinite(epochs) || epochs < 0) return std::nullopt;
  return TrainingTime::of_epochs(epochs);
}

std::string to_string(const TrainingTime& time) {
  if (!time.in_epochs()) return std::to_string(time.iterations());
  return fmt::format("{}ep", time.epochs());
}

}  // namespace lockstep
