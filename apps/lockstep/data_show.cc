// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "data.h"
#include "drawings.h"
#include "lockstep/base/check.h"
#include "lockstep/base/log.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/eval/draw.h"
#include "lockstep/io/atomic_file.h"
#include "output.h"

namespace lockstep::app {
namespace fs = std::filesystem;
namespace {

struct ShowArguments {
  DataArguments data;
  std::string out;
  int images = 24;
  bool augmented = false;
  bool test = false;
};

constexpr std::size_t kPerSheet = 12;

std::string label_of(const Dataset& dataset, std::int32_t class_index, bool crowd) {
  const std::string& name = dataset.categories[static_cast<std::size_t>(class_index)].name;
  return crowd ? name + " (crowd)" : name;
}

SheetEntry stored_entry(const Dataset& dataset, const ImageRecord& record) {
  SheetEntry entry;
  entry.picture = to_picture(load_image(record.path, {record.width, record.height}));
  for (const GroundTruthBox& box : record.boxes) {
    entry.boxes.push_back(
        {box.x1, box.y1, box.x2, box.y2, box.class_index, label_of(dataset, box.class_index, box.crowd), -1});
  }
  entry.caption = record.file_name;
  return entry;
}

// The picture of a micro-batch of one image, with the normalisation undone and the padding cut off.
Picture picture_of(const Tensor& data, int height, int width, const NormalizeOptions& normalize) {
  Picture picture{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 3)};
  const std::int64_t rows = data.dim(2), columns = data.dim(3);
  for (int c = 0; c < 3; ++c) {
    const float* plane = data.data<float>() + c * rows * columns;
    const auto channel = static_cast<std::size_t>(normalize.rgb ? 2 - c : c);
    const auto at = static_cast<std::size_t>(c);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float value = plane[y * columns + x] * normalize.std[at] + normalize.mean[at];
        picture.bgr[(static_cast<std::size_t>(y) * width + x) * 3 + channel] =
            static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
      }
    }
  }
  return picture;
}

SheetEntry augmented_entry(const Dataset& dataset, const MinibatchBuilder& builder, const NormalizeOptions& normalize,
                           std::int64_t sample) {
  const std::vector<Tensor> record = builder.build(sample, 0);  // one image a step
  const float* info = record[1].data<float>();
  SheetEntry entry;
  entry.picture = picture_of(record[0], static_cast<int>(info[0]), static_cast<int>(info[1]), normalize);
  const float* boxes = record[2].data<float>();
  const std::int32_t* classes = record[3].data<std::int32_t>();
  const std::int32_t* crowd = record[4].data<std::int32_t>();
  for (std::int64_t i = 0; i < record[3].size(); ++i) {
    const float* box = boxes + 4 * i;
    entry.boxes.push_back(
        {box[0], box[1], box[2], box[3], classes[i], label_of(dataset, classes[i], crowd[i] != 0), -1});
  }
  entry.caption = fmt::format("sample {}: {:.0f} x {:.0f}", sample, info[1], info[0]);
  return entry;
}

std::vector<SheetEntry> entries_of(const ShowArguments& arguments, const std::shared_ptr<const Dataset>& dataset,
                                   const Config& config) {
  const std::size_t total = dataset->images.size();
  const std::size_t count = std::min(total, static_cast<std::size_t>(arguments.images));
  std::vector<SheetEntry> entries;
  if (arguments.augmented) {
    MinibatchOptions options = minibatch_options(config);
    options.images_per_batch = options.images_per_micro_batch = 1;
    const MinibatchBuilder builder(dataset, options);
    for (std::size_t i = 0; i < count; ++i) {
      entries.push_back(augmented_entry(*dataset, builder, options.normalize, static_cast<std::int64_t>(i)));
    }
    return entries;
  }
  for (std::size_t i = 0; i < count; ++i) entries.push_back(stored_entry(*dataset, dataset->images[i * total / count]));
  return entries;
}

int run(const ShowArguments& arguments) {
  LS_CHECK(kConfig, !arguments.out.empty(), "where to? Name a folder for the pictures by --out");
  LS_CHECK(kConfig, arguments.images >= 1, "--images is {}; wanted at least 1", arguments.images);
  const DataPlaces places = find_data(arguments.data);
  const std::vector<DataLocation>& chosen = arguments.test ? places.test : places.train;
  LS_CHECK(kConfig, !chosen.empty(), "there is no test data to show");
  DataReport report;
  std::vector<Dataset> parts;
  for (const DataLocation& place : chosen) parts.push_back(read_data(place, report));
  report.log();
  const auto dataset = std::make_shared<const Dataset>(concatenate(std::move(parts)));
  std::error_code failed;
  fs::create_directories(arguments.out, failed);
  LS_CHECK(kIo, !failed, "cannot make the folder {}: {}", arguments.out, failed.message());
  const std::vector<SheetEntry> entries = entries_of(arguments, dataset, places.config);
  constexpr int kColumns = 4, kCellWidth = 400, kCellHeight = 300;
  for (std::size_t first = 0; first < entries.size(); first += kPerSheet) {
    const std::size_t last = std::min(entries.size(), first + kPerSheet);
    const std::vector<SheetEntry> part(entries.begin() + static_cast<std::ptrdiff_t>(first),
                                       entries.begin() + static_cast<std::ptrdiff_t>(last));
    const std::string path = (fs::path(arguments.out) / fmt::format("sheet_{:03}.png", first / kPerSheet + 1)).string();
    write_file_atomically(path, encode_picture_png(contact_sheet(part, kColumns, kCellWidth, kCellHeight)));
    print(path + "\n");
  }
  return 0;
}

}  // namespace

void add_data_show_command(CLI::App& data, Program& program) {
  const auto arguments = std::make_shared<ShowArguments>();
  CLI::App& command =
      add_command(data, {"show", "Draw pictures with their boxes on contact sheets",
                         "data show DATA ... --out DIR [flags]", "lockstep data show run/shapes --out run/sheets"});
  command.add_option("--config-file", arguments->data.recipe, "the recipe whose data and augmentation are meant");
  command.add_option("--out", arguments->out, "folder for the sheets; those of the same name are replaced");
  command.add_option("--images", arguments->images, "pictures to draw (24), spread over the data set");
  command.add_flag("--augmented", arguments->augmented, "as training sees them: cropped, resized, flipped, recoloured");
  command.add_flag("--test", arguments->test, "the test part");
  command.callback([&, arguments] {
    program.action = [&, arguments] {
      arguments->data.words = free_arguments(command);
      return run(*arguments);
    };
  });
}

}  // namespace lockstep::app
