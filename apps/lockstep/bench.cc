// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <algorithm>

#include "commands.h"
#include "lockstep/base/check.h"

namespace lockstep::app {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t half = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void add_bench_command(CLI::App& app, Program& program) {
  CLI::App& bench = add_command(app, {"bench", "Time the parts of training",
                                      "bench step|loader --config-file F|@NAME, bench allreduce, bench data DATA",
                                      "lockstep bench step --config-file @demo --workers 2 DATASETS.TRAIN run/shapes"});
  bench.require_subcommand(0, 1);
  add_bench_step_command(bench, program);
  add_bench_all_reduce_command(bench, program);
  add_bench_loader_command(bench, program);
  add_bench_data_command(bench, program);
  bench.callback([&] {
    if (bench.get_subcommands().empty()) {
      program.action = []() -> int {
        LS_THROW(kConfig, "lockstep bench: wanted step, allreduce, loader or data; see lockstep bench --help");
      };
    }
  });
}

}  // namespace lockstep::app
