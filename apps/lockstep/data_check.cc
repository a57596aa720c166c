// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "data.h"
#include "lockstep/base/check.h"
#include "lockstep/base/json_text.h"
#include "lockstep/data/file_checks.h"
#include "lockstep/data/statistics.h"
#include "lockstep/engine/classes.h"
#include "output.h"

namespace lockstep::app {
namespace {

struct CheckArguments {
  DataArguments data;
  std::string decode = "header";
  bool strict = false;
  bool json = false;
};

DecodeLevel decode_level(const std::string& name) {
  if (name == "none") return DecodeLevel::kNone;
  if (name == "header") return DecodeLevel::kHeader;
  LS_CHECK(kConfig, name == "full", "--decode is '{}'; wanted none, header or full", name);
  return DecodeLevel::kFull;
}

std::vector<ReadDataset> read_all(const std::vector<DataLocation>& places, DataReport& report) {
  std::vector<ReadDataset> sets;
  for (const DataLocation& place : places) {
    Dataset dataset = read_data(place, report);
    sets.push_back({report.source(), std::move(dataset)});
  }
  return sets;
}

// What keeps the data from being trained on and evaluated as a whole; empty when nothing does.
std::string mismatch(std::vector<ReadDataset> train, std::vector<ReadDataset> test, const Config& config) {
  try {
    std::vector<Dataset> parts;
    for (ReadDataset& set : train) parts.push_back(std::move(set.dataset));
    const Dataset all = concatenate(std::move(parts));
    if (!config.datasets.allow_empty_categories) require_boxes_in_every_category(all);
    for (ReadDataset& set : test) map_to_categories(set.dataset, all.categories, all.name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    return error.message();
  }
  return "";
}

int run(const CheckArguments& arguments, Console& console) {
  const DecodeLevel level = decode_level(arguments.decode);
  const DataPlaces places = find_data(arguments.data);
  DataReport report(DataReport::Mode::kCollect);
  console.status("reading annotations");
  std::vector<ReadDataset> sets = read_all(places.train, report);
  const std::vector<ReadDataset> test = read_all(places.test, report);
  const std::string problem = mismatch(sets, test, places.config);
  const std::size_t train_sets = sets.size();
  sets.insert(sets.end(), test.begin(), test.end());
  console.status("looking at image files");
  check_files(sets, level, report);

  std::string statistics;
  for (std::size_t i = 0; i < train_sets; ++i) {
    const DataStatistics found = data_statistics(sets[i].dataset, places.config);
    if (arguments.json) {
      statistics += fmt::format("{}{{\"source\": {}, \"statistics\": {}}}", i == 0 ? "" : ", ",
                                json_quote(sets[i].source), statistics_json(found));
    } else {
      statistics += fmt::format("\n{}\n{}", sets[i].source, statistics_text(found, places.config));
    }
  }
  const std::int64_t failed = report.count(Policy::kFail) + (problem.empty() ? 0 : 1);
  const std::int64_t dropped = report.count(Policy::kDrop);
  const bool good = failed == 0 && (!arguments.strict || dropped == 0);
  if (arguments.json) {
    print(fmt::format("{{\"good\": {}, \"fail\": {}, \"drop\": {}, \"problem\": {}, \"rules\": {}, \"data\": [{}]}}\n",
                      good, failed, dropped, problem.empty() ? "null" : json_quote(problem), report.json(),
                      statistics));
  } else {
    print(report.text() + statistics);
  }
  LS_CHECK(kData, problem.empty(), "{}", problem);
  LS_CHECK(kData, failed == 0, "{} records would end training; they are listed above under 'fail'", failed);
  LS_CHECK(kData, good, "{} records would be left out, which --strict makes an error; they are listed under 'drop'",
           dropped);
  return 0;
}

}  // namespace

void add_data_check_command(CLI::App& data, Program& program) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App& command = add_command(
      data, {"check", "Look for everything that is odd in annotations and images, and at what anchors can reach",
             "data check DATA ... | --config-file F  [flags]", "lockstep data check run/shapes --decode full"});
  command.add_option("--config-file", arguments->data.recipe,
                     "the recipe whose data, image sizes and anchors are meant");
  command.add_option("--decode", arguments->decode, "none, header (the default) or full: how far images are read");
  command.add_flag("--strict", arguments->strict, "records that would be left out are errors too");
  add_json_flag(command, arguments->json);
  command.callback([&, arguments] {
    program.action = [&, arguments] {
      arguments->data.words = free_arguments(command);
      return run(*arguments, program.console);
    };
  });
}

}  // namespace lockstep::app
