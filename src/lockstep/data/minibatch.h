// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/data/augment.h"
#include "lockstep/data/bad_images.h"
#include "lockstep/data/dataset.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/loader_stages.h"
#include "lockstep/data/normalize.h"
#include "lockstep/data/record_field.h"
#include "lockstep/data/repeat_factors.h"
#include "lockstep/data/sampler.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

struct MinibatchOptions {
  AugmentOptions augment;
  NormalizeOptions normalize;
  int size_divisibility = 32;               // height and width of `data` are multiples of it
  std::uint64_t seed = 3;                   // of shuffling and augmentation
  std::int64_t images_per_batch = 16;       // SOLVER.IMS_PER_BATCH: samples of one step
  std::int64_t images_per_micro_batch = 1;  // SOLVER.IMS_PER_MICRO_BATCH = n below; divides images_per_batch
  std::optional<RepeatOptions> repeat;      // of DATALOADER.SAMPLER_TRAIN RepeatFactorTrainingSampler
  std::size_t max_bad_images = 10;          // DATALOADER.MAX_BAD_IMAGES: undecodable files that may be replaced
  std::int64_t max_pixels = kMaxPixels;     // per stored picture
};

// The tensors of one micro-batch of n images with G boxes in all, in the order of the record:
//   data       f32 [n,3,H,W]  normalised, padded with zeros to the largest image rounded up
//   im_info    f32 [n,3]      height, width, scale of the resized image without padding
//   gt_boxes   f32 [G,4]      x1, y1, x2, y2 in pixels of the resized image; images one after another
//   gt_classes i32 [G]        class index
//   gt_crowd   i32 [G]        1 for a crowd region
//   gt_counts  i32 [n]        boxes per image; sums to G
//   sample_ids i64 [n]        the sample numbers s
const std::vector<RecordField>& minibatch_fields();

// Builds micro-batches: read, decode, orient, augment, normalise. A micro-batch is a pure function of
// (data set, options, step, index). Thread-safe.
class MinibatchBuilder {
 public:
  // `clock`, which may be null, gets the time of the stages kRead to kAssemble.
  MinibatchBuilder(std::shared_ptr<const Dataset> dataset, MinibatchOptions options,
                   std::shared_ptr<StageClock> clock = nullptr);

  // Micro-batch `index` of `step`: samples step * images_per_batch + index * n and the n - 1 after it.
  // An undecodable image is replaced (BadImages); kIo when a file cannot be read.
  std::vector<Tensor> build(std::int64_t step, std::int64_t index) const;

  const Sampler& sampler() const { return sampler_; }
  std::int64_t micro_batches_per_step() const { return options_.images_per_batch / options_.images_per_micro_batch; }
  std::size_t bad_image_count() const { return bad_images_.count(); }

 private:
  struct Sample {
    Image image;
    std::vector<GroundTruthBox> boxes;
    float scale = 1;
  };
  Sample load_sample(std::int64_t s) const;
  const ImageRecord& load_decodable(std::int64_t s, Image& image) const;

  const std::shared_ptr<const Dataset> dataset_;
  const MinibatchOptions options_;
  const Sampler sampler_;
  const std::shared_ptr<StageClock> clock_;
  mutable BadImages bad_images_;
};

}  // namespace lockstep
