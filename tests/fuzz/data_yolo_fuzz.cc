// SPDX-License-Identifier: Apache-2.0
// Any bytes as a YOLO label file; with a first byte of 'y', what follows as data.yaml, which is parsed but whose
// folders are not read: boxes lie in the picture, or the error is the user's.
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz_folder.h"
#include "lockstep/base/error.h"
#include "lockstep/data/record_checks.h"
#include "lockstep/data/yolo_reader.h"
#include "lockstep/data/yolo_yaml.h"

namespace {

using lockstep::DataReport;

void read_labels(const lockstep::testing::FuzzFolder& folder, DataReport::Mode mode) {
  DataReport report(mode);
  lockstep::Dataset dataset = lockstep::read_yolo(folder.file("good.yaml"), "train", report);
  lockstep::check_records(dataset, report);
  report.text();
  lockstep::testing::check_boxes(dataset);
}

void guarded(const auto& body) {
  try {
    body();
  } catch (const lockstep::Error& error) {
    lockstep::testing::fuzz_check(lockstep::exit_code(error.kind()) == 2, "an error of the user");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lockstep::testing::FuzzFolder folder;
  if (size > 0 && data[0] == 'y') {
    const std::string file = folder.write("any.yaml", {data + 1, size - 1});
    guarded([&] { lockstep::read_yolo_yaml(file); });
    return 0;
  }
  static const std::string picture = folder.write_picture("images/a.png");
  constexpr std::string_view kYaml = "path: .\ntrain: images\nnames: [cat, dog, bird]\n";
  static const std::string yaml =
      folder.write("good.yaml", {reinterpret_cast<const std::uint8_t*>(kYaml.data()), kYaml.size()});
  folder.write("labels/a.txt", {data, size});
  guarded([&] { read_labels(folder, DataReport::Mode::kStop); });
  guarded([&] { read_labels(folder, DataReport::Mode::kCollect); });
  return 0;
}
