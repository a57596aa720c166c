// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// A point in the training or a length of it, counted from its start: iterations, or epochs (passes over the training
// images), whose iterations are known once the data set is (resolve_epochs).
class TrainingTime {
 public:
  // Implicit on purpose: a bare number is a number of iterations.
  TrainingTime(std::int64_t iterations = 0) : iterations_(iterations) {}  // NOLINT(google-explicit-constructor)
  // A finite number of at least 0; parts of an epoch are allowed.
  static TrainingTime of_epochs(double epochs);

  bool in_epochs() const { return epochs_.has_value(); }
  bool is_zero() const { return in_epochs() ? *epochs_ == 0 : iterations_ == 0; }
  double epochs() const;            // only when in_epochs()
  std::int64_t iterations() const;  // only when not in_epochs()

  friend bool operator==(const TrainingTime&, const TrainingTime&) = default;

 private:
  std::int64_t iterations_ = 0;
  std::optional<double> epochs_;
};

// "8ep" or "0.5ep" as epochs; nullopt for any other text.
std::optional<TrainingTime> parse_epochs(std::string_view text);

// "8000" or "8ep"; reads back as the same time.
std::string to_string(const TrainingTime& time);

}  // namespace lockstep
