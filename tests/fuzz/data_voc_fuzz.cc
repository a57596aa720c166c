// SPDX-License-Identifier: Apache-2.0
// Any bytes as the XML file of a Pascal VOC folder with one picture: boxes lie in it, or the error is the user's.
#include <cstdint>

#include "fuzz/fuzz_folder.h"
#include "lockstep/base/error.h"
#include "lockstep/data/record_checks.h"
#include "lockstep/data/voc_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using lockstep::DataReport;
  static const lockstep::testing::FuzzFolder folder;
  static const std::string picture = folder.write_picture("voc/a.png");
  folder.write("voc/a.xml", {data, size});
  for (const DataReport::Mode mode : {DataReport::Mode::kStop, DataReport::Mode::kCollect}) {
    DataReport report(mode);
    try {
      lockstep::Dataset dataset = lockstep::read_voc(folder.file("voc"), "", report);
      lockstep::check_records(dataset, report);
      report.text();
      lockstep::testing::check_boxes(dataset);
    } catch (const lockstep::Error& error) {
      lockstep::testing::fuzz_check(lockstep::exit_code(error.kind()) == 2, "an error of the user");
    }
  }
  return 0;
}
