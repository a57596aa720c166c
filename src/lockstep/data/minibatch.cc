// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/minibatch.h"

#include <algorithm>
#include <utility>

#include "lockstep/base/check.h"
#include "lockstep/data/file_bytes.h"
#include "lockstep/data/resize.h"

namespace lockstep {

const std::vector<RecordField>& minibatch_fields() {
  static const std::vector<RecordField> kFields = {{"data", DType::kF32, 4},      {"im_info", DType::kF32, 2},
                                                   {"gt_boxes", DType::kF32, 2},  {"gt_classes", DType::kI32, 1},
                                                   {"gt_crowd", DType::kI32, 1},  {"gt_counts", DType::kI32, 1},
                                                   {"sample_ids", DType::kI64, 1}};
  return kFields;
}

MinibatchBuilder::MinibatchBuilder(std::shared_ptr<const Dataset> dataset, MinibatchOptions options,
                                   std::shared_ptr<StageClock> clock)
    : dataset_(std::move(dataset)),
      options_(std::move(options)),
      sampler_(static_cast<std::int64_t>(dataset_->images.size()), options_.seed,
               options_.repeat ? repeat_factors(*dataset_, *options_.repeat) : std::vector<double>()),
      clock_(std::move(clock)),
      bad_images_(options_.max_bad_images) {
  check_augment_options(options_.augment);
  check_normalize_options(options_.normalize);
  const std::int64_t n = options_.images_per_micro_batch, total = options_.images_per_batch;
  LS_CHECK(kConfig, n >= 1 && total >= 1 && total % n == 0,
           "SOLVER.IMS_PER_BATCH {} is not a multiple of SOLVER.IMS_PER_MICRO_BATCH {}", total, n);
}

const ImageRecord& MinibatchBuilder::load_decodable(std::int64_t s, Image& image) const {
  constexpr int kMaxAttempts = 1000;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const std::int64_t index = attempt == 0 ? sampler_.image_index(s) : sampler_.replacement(s, attempt);
    const ImageRecord& record = dataset_->images[static_cast<std::size_t>(index)];
    const std::vector<std::uint8_t> bytes = [&] {
      const StageTimer timer(clock_.get(), LoaderStage::kRead);
      return read_file(record.path);
    }();
    const StageTimer timer(clock_.get(), LoaderStage::kDecode);
    try {
      image = decode_image(bytes, record.path, options_.max_pixels);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData) throw;
      bad_images_.add(index, error);
      continue;
    }
    image = orient_image(std::move(image), bytes, {record.width, record.height}, record.path);
    return record;
  }
  LS_THROW(kData, "{} images drawn one after another for sample {} cannot be decoded; repair the data set '{}'",
           kMaxAttempts, s, dataset_->name);
}

MinibatchBuilder::Sample MinibatchBuilder::load_sample(std::int64_t s) const {
  Sample sample;
  Image stored;
  const ImageRecord& record = load_decodable(s, stored);
  const StageTimer timer(clock_.get(), LoaderStage::kResize);
  const AugmentOptions& augment = options_.augment;
  sample.boxes = record.boxes;
  if (augment.crop) {
    const CropWindow window = draw_crop(*augment.crop, {stored.width, stored.height}, options_.seed, s);
    stored = crop_image(stored, window);
    crop_boxes(sample.boxes, window);
  }
  const ImageSize from{stored.width, stored.height};
  const ImageSize to = shortest_edge_size(from, draw_shortest_edge(augment, options_.seed, s), augment.max_size);
  sample.image = to == from ? std::move(stored) : resize_image(stored, to);
  sample.scale =
      static_cast<float>(std::min(to.width, to.height)) / static_cast<float>(std::min(from.width, from.height));
  scale_boxes(sample.boxes, from, to);
  for (const Flip flip : augment.flips) {
    if (!draw_flip(flip, options_.seed, s)) continue;
    flip_image(sample.image, flip);
    flip_boxes(sample.boxes, to, flip);
  }
  change_colours(sample.image, draw_colours(augment.colour, options_.seed, s));
  return sample;
}

std::vector<Tensor> MinibatchBuilder::build(std::int64_t step, std::int64_t index) const {
  const std::int64_t n = options_.images_per_micro_batch;
  const std::int64_t first = step * options_.images_per_batch + index * n;
  std::vector<Sample> samples;
  int height = 0, width = 0;
  std::int64_t boxes = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    samples.push_back(load_sample(first + i));
    height = std::max(height, samples.back().image.height);
    width = std::max(width, samples.back().image.width);
    boxes += static_cast<std::int64_t>(samples.back().boxes.size());
  }
  const StageTimer timer(clock_.get(), LoaderStage::kAssemble);
  height = round_up(height, options_.size_divisibility);
  width = round_up(width, options_.size_divisibility);

  Tensor data(DType::kF32, {n, 3, height, width}), im_info(DType::kF32, {n, 3}), gt_boxes(DType::kF32, {boxes, 4});
  Tensor gt_classes(DType::kI32, {boxes}), gt_crowd(DType::kI32, {boxes}), gt_counts(DType::kI32, {n});
  Tensor sample_ids(DType::kI64, {n});
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const Sample& sample = samples[static_cast<std::size_t>(i)];
    normalize_image(sample.image, options_.normalize, height, width, data.data<float>() + i * 3 * height * width);
    const float info[] = {static_cast<float>(sample.image.height), static_cast<float>(sample.image.width),
                          sample.scale};
    std::copy(info, info + 3, im_info.data<float>() + 3 * i);
    for (const GroundTruthBox& box : sample.boxes) {
      const float corners[] = {box.x1, box.y1, box.x2, box.y2};
      std::copy(corners, corners + 4, gt_boxes.data<float>() + 4 * at);
      gt_classes.data<std::int32_t>()[at] = box.class_index;
      gt_crowd.data<std::int32_t>()[at] = box.crowd ? 1 : 0;
      ++at;
    }
    gt_counts.data<std::int32_t>()[i] = static_cast<std::int32_t>(sample.boxes.size());
    sample_ids.data<std::int64_t>()[i] = first + i;
  }
  std::vector<Tensor> record;
  for (Tensor* tensor : {&data, &im_info, &gt_boxes, &gt_classes, &gt_crowd, &gt_counts, &sample_ids}) {
    record.push_back(std::move(*tensor));
  }
  return record;
}

}  // namespace lockstep
