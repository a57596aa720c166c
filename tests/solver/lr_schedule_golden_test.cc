// SPDX-License-Identifier: Apache-2.0
// Learning rates beside those of fvcore's schedulers (tools/goldens/make_lr_schedules.py).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lockstep/solver/lr_schedule.h"

namespace lockstep {
namespace {

double next_number(std::istream& line) {
  std::string text;  // hexadecimal floats, which streams do not read
  line >> text;
  return std::stod(text);
}

std::int64_t next_whole(std::istream& line) {
  std::int64_t value = 0;
  line >> value;
  return value;
}

SolverConfig read_recipe(std::istream& line) {
  SolverConfig solver;
  line >> solver.lr_scheduler_name;
  solver.base_lr = next_number(line);
  solver.base_lr_end = next_number(line);
  solver.gamma = next_number(line);
  solver.num_decays = static_cast<int>(next_whole(line));
  solver.max_iter = next_whole(line);
  solver.warmup_iters = next_whole(line);
  solver.warmup_factor = next_number(line);
  line >> solver.warmup_method;
  solver.rescale_interval = next_whole(line) == 1;
  std::string list;
  line >> list;
  std::istringstream steps(list.substr(1, list.size() - 2));
  solver.steps.clear();
  for (std::string step; std::getline(steps, step, ',');) solver.steps.emplace_back(std::stoll(step));
  return solver;
}

TEST(LearningRateGolden, EqualsFvcoresSchedulers) {
  std::ifstream file(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/solver/data/fvcore_schedules.txt");
  int rates = 0;
  for (std::string text; std::getline(file, text);) {
    SCOPED_TRACE(text.substr(0, text.find(']') + 1));
    std::istringstream line(text);
    const SolverConfig solver = read_recipe(line);
    ASSERT_NO_THROW(check_schedule(solver));
    for (std::string pair; line >> pair; ++rates) {
      const std::size_t equals = pair.find('=');
      const std::int64_t step = std::stoll(pair.substr(0, equals));
      EXPECT_FLOAT_EQ(learning_rate(solver, step), static_cast<float>(std::stod(pair.substr(equals + 1)))) << step;
    }
  }
  EXPECT_GT(rates, 2000);
}

}  // namespace
}  // namespace lockstep
