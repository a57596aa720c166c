// SPDX-License-Identifier: Apache-2.0
// Any bytes as a COCO annotation file, read as training does (without polygons) and as data check does (every byte):
// where both give data they are the same, and an error is the user's.
#include <cstdint>
#include <optional>

#include "fuzz/fuzz_folder.h"
#include "lockstep/base/error.h"
#include "lockstep/data/coco_reader.h"
#include "lockstep/data/record_checks.h"

namespace {

using lockstep::DataReport;
using lockstep::Dataset;

std::optional<Dataset> read(const std::string& file, DataReport::Mode mode) {
  DataReport report(mode);
  try {
    Dataset dataset = lockstep::read_coco(file, "no_such_folder", report);
    lockstep::check_records(dataset, report);
    report.text();
    report.json();
    lockstep::testing::check_boxes(dataset);
    return dataset;
  } catch (const lockstep::Error& error) {
    lockstep::testing::fuzz_check(lockstep::exit_code(error.kind()) == 2, "an error of the user");
    return std::nullopt;
  }
}

bool same_boxes(const Dataset& a, const Dataset& b) {
  if (a.images.size() != b.images.size()) return false;
  for (std::size_t i = 0; i < a.images.size(); ++i) {
    const auto &one = a.images[i].boxes, &other = b.images[i].boxes;
    if (one.size() != other.size()) return false;
    for (std::size_t k = 0; k < one.size(); ++k) {
      if (one[k].x1 != other[k].x1 || one[k].y2 != other[k].y2 || one[k].class_index != other[k].class_index) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lockstep::testing::FuzzFolder folder;
  const std::string file = folder.write("a.json", {data, size});
  const auto quick = read(file, DataReport::Mode::kStop), whole = read(file, DataReport::Mode::kCollect);
  if (quick && whole) lockstep::testing::fuzz_check(same_boxes(*quick, *whole), "the same boxes without polygons");
  return 0;
}
