// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/data_options.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// The stride of p6: what Detectron2 pads a feature pyramid's input to is the coarsest of the ResNet, 32.
constexpr int kSizeDivisibility = 32;

NormalizeOptions normalize_options(const Config& config) {
  NormalizeOptions options;
  LS_CHECK(kConfig, config.model.pixel_mean.size() == 3 && config.model.pixel_std.size() == 3,
           "MODEL.PIXEL_MEAN and MODEL.PIXEL_STD must have 3 values, got {} and {}", config.model.pixel_mean.size(),
           config.model.pixel_std.size());
  for (std::size_t c = 0; c < 3; ++c) {
    options.mean[c] = static_cast<float>(config.model.pixel_mean[c]);
    options.std[c] = static_cast<float>(config.model.pixel_std[c]);
  }
  options.rgb = config.input.format == "RGB";
  return options;
}

std::vector<Flip> flips(const std::string& name) {
  if (name == "horizontal") return {Flip::kHorizontal};
  if (name == "vertical") return {Flip::kVertical};
  if (name == "both") return {Flip::kHorizontal, Flip::kVertical};
  LS_CHECK(kConfig, name == "none", "INPUT.RANDOM_FLIP is '{}'; wanted none, horizontal, vertical or both", name);
  return {};
}

CropOptions crop_options(const CropConfig& crop) {
  CropOptions options;
  if (crop.type == "relative_range") options.type = CropType::kRelativeRange;
  if (crop.type == "relative") options.type = CropType::kRelative;
  if (crop.type == "absolute") options.type = CropType::kAbsolute;
  if (crop.type == "absolute_range") options.type = CropType::kAbsoluteRange;
  LS_CHECK(kConfig, crop.size.size() == 2, "INPUT.CROP.SIZE has {} values; wanted 2", crop.size.size());
  options.first = crop.size[0];
  options.second = crop.size[1];
  return options;
}

Range range_of(const char* key, const std::vector<double>& ends) {
  LS_CHECK(kConfig, ends.size() == 2, "{} has {} values; wanted the two ends of a range", key, ends.size());
  return {ends[0], ends[1]};
}

}  // namespace

std::optional<RepeatOptions> repeat_options(const Config& config) {
  if (config.dataloader.sampler_train != "RepeatFactorTrainingSampler") return std::nullopt;
  return RepeatOptions{config.dataloader.repeat_threshold, config.dataloader.repeat_sqrt};
}

std::int64_t images_per_epoch(const Config& config, const Dataset& dataset) {
  const std::optional<RepeatOptions> repeat = repeat_options(config);
  if (!repeat) return static_cast<std::int64_t>(dataset.images.size());
  const std::vector<double> factors = repeat_factors(dataset, *repeat);
  return std::llround(std::accumulate(factors.begin(), factors.end(), 0.0));
}

MinibatchOptions minibatch_options(const Config& config) {
  MinibatchOptions options;
  options.augment.min_sizes = config.input.min_size_train;
  options.augment.sample_range = config.input.min_size_train_sampling == "range";
  options.augment.max_size = config.input.max_size_train;
  options.augment.flips = flips(config.input.random_flip);
  if (config.input.crop.enabled) options.augment.crop = crop_options(config.input.crop);
  options.augment.colour.brightness = range_of("INPUT.BRIGHTNESS", config.input.brightness);
  options.augment.colour.contrast = range_of("INPUT.CONTRAST", config.input.contrast);
  options.augment.colour.saturation = range_of("INPUT.SATURATION", config.input.saturation);
  options.normalize = normalize_options(config);
  options.size_divisibility = kSizeDivisibility;
  options.seed = effective_seed(config);
  options.images_per_batch = config.solver.ims_per_batch;
  options.images_per_micro_batch = config.solver.ims_per_micro_batch;
  options.repeat = repeat_options(config);
  options.max_bad_images = static_cast<std::size_t>(config.dataloader.max_bad_images);
  return options;
}

TestInputOptions test_input_options(const Config& config) {
  TestInputOptions options;
  options.min_size = config.input.min_size_test;
  options.max_size = config.input.max_size_test;
  options.normalize = normalize_options(config);
  options.size_divisibility = kSizeDivisibility;
  return options;
}

LoaderOptions loader_options(const Config& config) {
  LoaderOptions options;
  options.threads = std::max(1, config.dataloader.num_workers);
  options.minibatch_queue_size = static_cast<std::size_t>(config.dataloader.minibatch_queue_size);
  options.blobs_queue_capacity = static_cast<std::size_t>(config.dataloader.blobs_queue_capacity);
  options.queue_bytes = std::int64_t{config.dataloader.max_queue_mb} << 20;
  return options;
}

Prefill prefill_option(const Config& config) {
  return config.dataloader.prefill == "full" ? Prefill::kFull : Prefill::kOne;
}

}  // namespace lockstep
