// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "bench.h"
#include "lockstep/base/check.h"
#include "lockstep/engine/measure_all_reduce.h"
#include "output.h"

namespace lockstep::app {
namespace {

struct AllReduceArguments {
  std::vector<int> workers = {2, 4, 8};
  std::string collective = "lockstep";
  std::string smallest = "4K";
  std::string largest = "256M";
  int repeats = 5;
  bool json = false;
};

// "4K", "256M", "1G" or plain bytes.
std::int64_t bytes_of(const std::string& flag, const std::string& text) {
  std::size_t used = 0;
  std::int64_t value = 0;
  try {
    value = std::stoll(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = text.substr(used);
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  const bool good = used > 0 && used <= 9 && value >= 1 && (shift > 0 || unit.empty());
  LS_CHECK(kConfig, good && (value << shift) % 4 == 0, "{} is '{}'; wanted whole floats in bytes, such as 4K or 256M",
           flag, text);
  return value << shift;
}

int run(const AllReduceArguments& arguments, Console& console) {
  const std::int64_t smallest = bytes_of("--from", arguments.smallest);
  const std::int64_t largest = bytes_of("--to", arguments.largest);
  std::string rows;
  for (const int workers : arguments.workers) {
    for (std::int64_t bytes = smallest; bytes <= largest; bytes *= 4) {
      console.status(fmt::format("{} workers, {} bytes", workers, bytes));
      const AllReduceTime time = measure_all_reduce({arguments.collective, workers, bytes, arguments.repeats});
      // Every message is read once and written once.
      const double bandwidth = 2.0 * static_cast<double>(bytes) * workers / time.seconds;
      const double copied = 2.0 * static_cast<double>(bytes) * workers / time.memcpy_seconds;
      if (arguments.json) {
        rows += fmt::format(
            "{}{{\"collective\": \"{}\", \"workers\": {}, \"bytes\": {}, \"seconds\": {:.9f}, "
            "\"bytes_per_second\": {:.0f}, \"memcpy_bytes_per_second\": {:.0f}, \"fraction\": {:.4f}}}",
            rows.empty() ? "" : ", ", arguments.collective, workers, bytes, time.seconds, bandwidth, copied,
            time.fraction_of_memcpy());
      } else {
        rows += fmt::format("{:>7} {:>11} {:>12.1f} {:>8.2f} {:>8.2f} {:>8.2f}\n", workers, bytes, 1e6 * time.seconds,
                            bandwidth / 1e9, copied / 1e9, time.fraction_of_memcpy());
      }
    }
  }
  print(arguments.json ? "[" + rows + "]\n" : "workers       bytes           us     GB/s   memcpy    ratio\n" + rows);
  return 0;
}

}  // namespace

void add_bench_all_reduce_command(CLI::App& bench, Program& program) {
  const auto arguments = std::make_shared<AllReduceArguments>();
  CLI::App& command =
      add_command(bench, {"allreduce", "Bandwidth of the sums over workers, beside memcpy's", "bench allreduce [flags]",
                          "lockstep bench allreduce --workers 2,4 --from 4K --to 256M"});
  command.add_option("--workers", arguments->workers, "numbers of workers (2,4,8)")->delimiter(',');
  command.add_option("--collective", arguments->collective, "lockstep or tree (SOLVER.COLLECTIVE)");
  command.add_option("--from", arguments->smallest, "smallest message of a worker (4K); each next is four times it");
  command.add_option("--to", arguments->largest, "largest message (256M)");
  command.add_option("--repeats", arguments->repeats, "how often each is timed (5)");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    require_no_arguments(command);
    program.action = [&, arguments] { return run(*arguments, program.console); };
  });
}

}  // namespace lockstep::app
