// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>
#include <memory>

#include "bench.h"
#include "lockstep/base/check.h"
#include "lockstep/data/data_spec.h"
#include "output.h"

namespace lockstep::app {
namespace {

struct DataBenchArguments {
  int repeats = 3;
  bool json = false;
};

// A line such as "VmHWM:   1234 kB" of /proc/self/status, in bytes; 0 where there is none.
std::int64_t process_memory(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kilobytes = 0;
    if (word == key + ":" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

int run(const DataBenchArguments& arguments, const std::vector<std::string>& words) {
  LS_CHECK(kConfig, words.size() == 1, "lockstep bench data wants one data set, got {}", words.size());
  LS_CHECK(kConfig, arguments.repeats >= 1, "--repeats is {}; wanted at least 1", arguments.repeats);
  std::vector<double> seconds;
  std::int64_t memory = 0;
  std::size_t images = 0, boxes = 0;
  for (int i = 0; i < arguments.repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Dataset dataset = load_dataset({words[0]}, {}, DataSplit::kTrain);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    memory = memory_of(dataset);
    images = dataset.images.size();
    boxes = 0;
    for (const ImageRecord& image : dataset.images) boxes += image.boxes.size();
  }
  const char* form = arguments.json ? "{{\"images\": {}, \"boxes\": {}, \"seconds\": {:.4f}, \"bytes\": {}, "
                                      "\"peak_bytes\": {}}}\n"
                                    : "{} images, {} boxes: read in {:.3f} s (median), {} bytes held, {} bytes peak\n";
  print(fmt::format(fmt::runtime(form), images, boxes, median(seconds), memory, process_memory("VmHWM")));
  return 0;
}

}  // namespace

void add_bench_data_command(CLI::App& bench, Program& program) {
  const auto arguments = std::make_shared<DataBenchArguments>();
  CLI::App& command = add_command(bench, {"data", "Time and memory of reading annotations", "bench data DATA [flags]",
                                          "lockstep bench data coco:train.json:images"});
  command.add_option("--repeats", arguments->repeats, "how often to read (3)");
  add_json_flag(command, arguments->json);
  command.callback(
      [&, arguments] { program.action = [&, arguments] { return run(*arguments, free_arguments(command)); }; });
}

}  // namespace lockstep::app
