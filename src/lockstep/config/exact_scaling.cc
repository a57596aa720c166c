// SPDX-License-Identifier: Apache-2.0
#include "lockstep/config/exact_scaling.h"

#include <algorithm>
#include <cmath>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

using Remarks = std::vector<std::string>;

// At least 1 for what was not 0.
std::int64_t shrunk(const char* path, std::int64_t x, const ExactRatio& shrink, Remarks& remarks) {
  const std::int64_t rounded = rounded_product(x, shrink);
  if (x == 0 || rounded > 0) return rounded;
  remarks.push_back(fmt::format("{}: {} would round to 0; 1 is used", path, product_text(x, shrink)));
  return 1;
}

void require_rising(const std::vector<TrainingTime>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    LS_CHECK(kConfig, steps[i].iterations() > steps[i - 1].iterations(),
             "SOLVER.STEPS: found {} after {} in the reference recipe, wanted increasing iterations",
             steps[i].iterations(), steps[i - 1].iterations());
  }
}

std::vector<TrainingTime> shrunk_steps(const ScaledSettings& reference, std::int64_t max_iter, const ExactRatio& shrink,
                                       Remarks& remarks) {
  require_rising(reference.steps);
  std::vector<std::int64_t> plain;
  for (const TrainingTime& time : reference.steps) {
    const std::int64_t step = time.iterations();
    if (step < reference.max_iter) {
      plain.push_back(rounded_product(step, shrink));
    } else {
      remarks.push_back(fmt::format("SOLVER.STEPS: {} is left out; it has no effect at or past MAX_ITER {}", step,
                                    reference.max_iter));
    }
  }
  std::vector<std::int64_t> steps = plain;
  const auto count = static_cast<std::int64_t>(steps.size());
  if (count == 0) return {};
  // A drop at iteration 0 stays there; every other one needs an iteration of its own before the end.
  const std::int64_t first = reference.steps.front().is_zero() ? 0 : 1;
  LS_CHECK(kConfig, max_iter - first >= count,
           "SOLVER.STEPS: found {} steps for a training of {} iterations with this many workers, wanted fewer steps "
           "than iterations; use fewer workers, or a longer schedule",
           count, max_iter);
  std::int64_t least = first;
  for (std::int64_t& step : steps) {
    step = std::max(step, least);
    least = step + 1;
  }
  std::int64_t most = max_iter - 1;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    *step = std::min(*step, most);
    most = *step - 1;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] == plain[i]) continue;
    remarks.push_back(
        fmt::format("SOLVER.STEPS: {} would round to {}; {} is used, so that the steps rise from {} and "
                    "stay below MAX_ITER {}",
                    product_text(reference.steps[i].iterations(), shrink), plain[i], steps[i], first, max_iter));
  }
  return {steps.begin(), steps.end()};
}

}  // namespace

double learning_rate_factor(const std::string& lr_scaling, const ExactRatio& growth) {
  if (lr_scaling == "none") return 1;
  if (lr_scaling == "sqrt") return std::sqrt(growth.value());
  LS_ASSERT(lr_scaling == "linear", "found LR_SCALING '{}'", lr_scaling);
  return growth.value();
}

ExactScaling scale_exactly(const ScaledSettings& reference, const ExactRatio& growth, const std::string& lr_scaling) {
  const ExactRatio shrink = growth.inverse();
  const auto rate = [&](double x) {
    const double scaled =
        lr_scaling == "linear" ? rounded_product(x, growth) : x * learning_rate_factor(lr_scaling, growth);
    LS_CHECK(kConfig, std::isfinite(scaled), "found the learning rate {} times {:g}, wanted a finite product", x,
             growth.value());
    return scaled;
  };
  ExactScaling out;
  ScaledSettings& scaled = out.settings;
  scaled.ims_per_batch = rounded_product(reference.ims_per_batch, growth);
  scaled.base_lr = rate(reference.base_lr);
  scaled.base_lr_end = rate(reference.base_lr_end);
  std::transform(reference.lrs.begin(), reference.lrs.end(), std::back_inserter(scaled.lrs), rate);
  const auto time = [&](const char* path, const TrainingTime& x) {
    return TrainingTime(shrunk(path, x.iterations(), shrink, out.remarks));
  };
  scaled.max_iter = shrunk("SOLVER.MAX_ITER", reference.max_iter, shrink, out.remarks);
  scaled.steps = shrunk_steps(reference, scaled.max_iter, shrink, out.remarks);
  scaled.step_size = time("SOLVER.STEP_SIZE", reference.step_size);
  scaled.warmup_iters = time("SOLVER.WARMUP_ITERS", reference.warmup_iters);
  scaled.checkpoint_period = time("SOLVER.CHECKPOINT_PERIOD", reference.checkpoint_period);
  scaled.eval_period = time("TEST.EVAL_PERIOD", reference.eval_period);
  return out;
}

}  // namespace lockstep
