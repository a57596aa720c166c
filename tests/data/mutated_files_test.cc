// SPDX-License-Identifier: Apache-2.0
// The odd files again with bytes changed, taken out and put in: whatever stands in a file, reading it ends with a data
// set whose boxes are sound or with an error that is the user's.
#include <gtest/gtest.h>

#include "data/data_test_util.h"
#include "data/odd_files.h"
#include "lockstep/base/philox.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

constexpr int kMutants = 40;  // of each file

void mutate(std::vector<std::uint8_t>& bytes, PhiloxStream& random) {
  static const std::vector<std::string> kPieces = {
      "\"",   "{",    "}",        "[",  "]",  ",", ":", "-1",   "0",    "1e9",     "1e999",
      "null", "true", "<object>", "</", "\n", " ", ".", "\xFF", "0.5 ", "\"id\":", "99999999999999999999"};
  const int changes = 1 + static_cast<int>(random.below(4));
  for (int i = 0; i < changes && !bytes.empty(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(bytes.size())));
    const std::string& piece = kPieces[random.below(static_cast<std::uint32_t>(kPieces.size()))];
    switch (random.below(4)) {
      case 0: bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.below(256)); break;
      case 1: {
        const auto length = std::min<std::ptrdiff_t>(1 + random.below(12), std::ssize(bytes) - at);
        bytes.erase(bytes.begin() + at, bytes.begin() + at + length);
        break;
      }
      case 2: bytes.resize(static_cast<std::size_t>(at)); break;
      default: bytes.insert(bytes.begin() + at, piece.begin(), piece.end());
    }
  }
}

// The annotation file among those that write_odd_case wrote.
std::string annotation_file(const OddCase& odd, const TempDir& dir) {
  switch (odd.format) {
    case OddFormat::kVoc:
    case OddFormat::kVocObject: return dir.file("data/images/a.xml");
    case OddFormat::kYolo: return dir.file("data/labels/a.txt");
    case OddFormat::kYoloYaml: return dir.file("data/data.yaml");
    default: return dir.file("data/set.json");
  }
}

void read_any(const std::string& data, DataReport::Mode mode, const std::string& what) {
  try {
    DataReport report(mode);
    const Dataset dataset = load_dataset({data}, {}, DataSplit::kTrain, report);
    for (const ImageRecord& image : dataset.images) {
      for (const GroundTruthBox& box : image.boxes) {
        const bool sound = box.x1 >= 0 && box.y1 >= 0 && box.x1 < box.x2 && box.y1 < box.y2 &&
                           box.x2 <= static_cast<float>(image.width) && box.y2 <= static_cast<float>(image.height) &&
                           static_cast<std::size_t>(box.class_index) < dataset.categories.size();
        EXPECT_TRUE(sound) << what;
      }
    }
    EXPECT_FALSE(report.text().empty());
  } catch (const Error& error) {
    EXPECT_EQ(exit_code(error.kind()), error.kind() == ErrorKind::kIo ? 3 : 2) << what << ": " << error.what();
  }
}

TEST(MutatedFiles, EndWithSoundBoxesOrWithAnErrorOfTheUser) {
  const TempDir dir;
  for (std::size_t c = 0; c < odd_cases().size(); ++c) {
    const OddCase& odd = odd_cases()[c];
    if (odd.name == "ManyBoxes") continue;
    std::filesystem::remove_all(dir.file("data"));
    const std::string data = write_odd_case(odd, dir.file("data"));
    const std::string file = annotation_file(odd, dir);
    const std::vector<std::uint8_t> original = read_file(file);
    for (int m = 0; m < kMutants; ++m) {
      PhiloxStream random(m, c, philox_key("mutant"));
      std::vector<std::uint8_t> bytes = original;
      mutate(bytes, random);
      write_file(file, bytes);
      const std::string what = fmt::format("{}, mutant {}", odd.name, m);
      read_any(data, DataReport::Mode::kStop, what);
      read_any(data, DataReport::Mode::kCollect, what);
    }
  }
}

}  // namespace
}  // namespace lockstep
