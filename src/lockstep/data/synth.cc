// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/synth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <system_error>
#include <utility>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/base/philox.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/synth_shapes.h"

namespace lockstep {
namespace {

constexpr int kJpegQuality = 90;
constexpr double kMinRadius = 13, kMaxRadius = 46;  // boxes of about 24 to 92 pixels

struct Annotation {
  SynthBox box;
  int category;  // 1-based id
  bool crowd;
};

struct Scene {
  Image image;
  std::vector<Annotation> annotations;
};

double overlap(const SynthBox& a, const SynthBox& b) {
  const double w = std::min(a[2], b[2]) - std::max(a[0], b[0]), h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (w <= 0 || h <= 0) return 0;
  return w * h / std::min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]));
}

double between(PhiloxStream& random, double low, double high) { return low + (high - low) * random.uniform(); }

std::array<double, 3> bright_colour(PhiloxStream& random) {
  // One or two channels high, the rest low: far from the muted backgrounds.
  std::array<double, 3> colour{};
  const std::uint32_t high = 1 + random.below(6);  // a non-empty, non-full set of channels
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = (high >> c & 1) != 0 ? between(random, 205, 255) : between(random, 0, 60);
  return colour;
}

SynthShape random_shape(PhiloxStream& random, ShapeKind kind, Point center, double radius) {
  const double angle = between(random, 0, 2 * std::numbers::pi);
  return make_shape(kind, center, radius, angle, bright_colour(random));
}

ShapeKind random_kind(PhiloxStream& random) {
  return static_cast<ShapeKind>(random.below(static_cast<std::uint32_t>(kShapeNames.size())));
}

// Single shapes: at most a third of the smaller box may be hidden by a neighbour.
void add_objects(Scene& scene, PhiloxStream& random) {
  constexpr double kMaxOverlap = 0.33;
  constexpr int kTries = 20;
  const int wanted = 1 + static_cast<int>(random.below(5));
  for (int i = 0; i < wanted; ++i) {
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const double largest = std::min(kMaxRadius, 0.35 * std::min(scene.image.width, scene.image.height));
      const double radius = between(random, kMinRadius, largest);
      const Point center{between(random, radius, scene.image.width - radius),
                         between(random, radius, scene.image.height - radius)};
      const SynthShape shape = random_shape(random, random_kind(random), center, radius);
      const SynthBox box = shape_box(shape);
      const bool free = std::all_of(scene.annotations.begin(), scene.annotations.end(),
                                    [&](const Annotation& other) { return overlap(box, other.box) <= kMaxOverlap; });
      if (!free) continue;
      draw_shape(scene.image, shape);
      scene.annotations.push_back({box, static_cast<int>(shape.kind) + 1, false});
      break;
    }
  }
}

// A heap of small shapes of one class, annotated as one region.
void add_crowd(Scene& scene, PhiloxStream& random) {
  const ShapeKind kind = random_kind(random);
  const double width = between(random, 50, 80), height = between(random, 40, 60);
  const Point corner{between(random, 0, scene.image.width - width), between(random, 0, scene.image.height - height)};
  SynthBox region{corner.x + width, corner.y + height, corner.x, corner.y};
  for (int i = 0; i < 14; ++i) {
    const double radius = between(random, 5, 8);
    const Point center{between(random, corner.x + radius, corner.x + width - radius),
                       between(random, corner.y + radius, corner.y + height - radius)};
    const SynthShape shape = random_shape(random, kind, center, radius);
    draw_shape(scene.image, shape);
    const SynthBox box = shape_box(shape);
    region = {std::min(region[0], box[0]), std::min(region[1], box[1]), std::max(region[2], box[2]),
              std::max(region[3], box[3])};
  }
  scene.annotations.push_back({region, static_cast<int>(kind) + 1, true});
}

Scene make_scene(std::uint64_t seed, int number) {
  PhiloxStream random(seed, static_cast<std::uint64_t>(number), philox_key("synth"));
  constexpr std::array<ImageSize, 5> kSizes = {{{240, 180}, {160, 120}, {320, 240}, {180, 240}, {224, 160}}};
  const ImageSize size = kSizes[random.below(static_cast<std::uint32_t>(kSizes.size()))];
  Scene scene{Image(size.width, size.height), {}};
  draw_background(scene.image, random);
  if (number % 16 == 7) return scene;  // an empty image
  if (number % 12 == 5) add_crowd(scene, random);
  add_objects(scene, random);
  return scene;
}

// One of the two annotation files, grown image by image.
class CocoText {
 public:
  void add(int image_id, const std::string& file_name, const Scene& scene) {
    images_ += fmt::format("{}\n  {{\"id\": {}, \"file_name\": \"{}\", \"width\": {}, \"height\": {}}}",
                           images_.empty() ? "" : ",", image_id, file_name, scene.image.width, scene.image.height);
    for (const Annotation& annotation : scene.annotations) {
      const SynthBox& box = annotation.box;
      const double w = box[2] - box[0], h = box[3] - box[1];
      annotations_ += fmt::format(
          "{}\n  {{\"id\": {}, \"image_id\": {}, \"category_id\": {}, \"bbox\": [{:.2f}, {:.2f}, {:.2f}, {:.2f}], "
          "\"area\": {:.2f}, \"iscrowd\": {}, \"segmentation\": []}}",
          annotations_.empty() ? "" : ",", ++boxes_, image_id, annotation.category, box[0], box[1], w, h, w * h,
          annotation.crowd ? 1 : 0);
    }
  }
  std::string finish() const {
    std::string categories;
    for (std::size_t i = 0; i < kShapeNames.size(); ++i) {
      categories += fmt::format("{}\n  {{\"id\": {}, \"name\": \"{}\"}}", i == 0 ? "" : ",", i + 1, kShapeNames[i]);
    }
    return fmt::format("{{\n\"categories\": [{}],\n\"images\": [{}],\n\"annotations\": [{}]\n}}\n", categories, images_,
                       annotations_);
  }

 private:
  std::string images_, annotations_;
  int boxes_ = 0;
};

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_file(path.string(), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace

SynthSummary write_synthetic_dataset(const std::string& dir, int images, std::uint64_t seed) {
  LS_CHECK(kConfig, images >= 10, "a synthetic data set of {} images is too small; wanted at least 10", images);
  const std::filesystem::path folder(dir);
  std::error_code failed;
  std::filesystem::create_directories(folder / "images", failed);
  LS_CHECK(kIo, !failed, "cannot make the folder {}: {}", (folder / "images").string(), failed.message());
  SynthSummary summary;
  CocoText train, val;
  for (int number = 0; number < images; ++number) {
    const Scene scene = make_scene(seed, number);
    const bool png = number % 10 == 9;
    const bool held_out = number % 5 == 3;
    const std::string file_name = fmt::format("{:06d}.{}", number, png ? "png" : "jpg");
    write_file((folder / "images" / file_name).string(),
               png ? encode_png(scene.image) : encode_jpeg(scene.image, kJpegQuality));
    (held_out ? val : train).add(number + 1, file_name, scene);
    ++(held_out ? summary.val_images : summary.train_images);
    summary.boxes += static_cast<int>(scene.annotations.size());
    summary.crowd_regions += static_cast<int>(
        std::count_if(scene.annotations.begin(), scene.annotations.end(), [](const Annotation& a) { return a.crowd; }));
    summary.empty_images += scene.annotations.empty() ? 1 : 0;
  }
  write_text(folder / "instances_val.json", val.finish());
  write_text(folder / "instances_train.json", train.finish());
  return summary;
}

}  // namespace lockstep
