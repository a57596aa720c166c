// SPDX-License-Identifier: Apache-2.0
// INPUT, DATASETS, DATALOADER.
#include "lockstep/config/key_builder.h"

namespace lockstep {

void add_data_keys(KeyTableBuilder& t) {
  t.section("DATASETS",
            "What is read. DATA is written one way everywhere: `coco:FILE.json:IMAGE_DIR`, a name from "
            "DATASETS.CATALOG, or one of the other forms that the command line takes. Relative paths in DATA are "
            "relative to the working directory of the process, whichever file states them.");
  LS_KEY(t, datasets.train, "Training data, one DATA or a list; several are joined in order.")
      .accepts_one_text()
      .path();
  LS_KEY(t, datasets.test, "Evaluation data, one DATA or a list; each is evaluated by itself.")
      .accepts_one_text()
      .path();
  LS_KEY(t, datasets.catalog,
         "Names for DATA: `CATALOG: {my_train: \"coco:a.json:images\"}`. Entries of a base file stay.")
      .extension()
      .path();
  LS_KEY(t, datasets.allow_empty_categories,
         "Trains although categories have no box in the training data; such a class cannot be learned.")
      .extension();
  LS_KEY(t, datasets.proposal_files_train, "Proposal files of DATASETS.TRAIN, for MODEL.LOAD_PROPOSALS.")
      .no_effect()
      .accepts_one_text()
      .path();
  LS_KEY(t, datasets.precomputed_proposal_topk_train, "Proposals kept per image from those files.")
      .no_effect()
      .at_least(0);
  LS_KEY(t, datasets.proposal_files_test, "Proposal files of DATASETS.TEST, for MODEL.LOAD_PROPOSALS.")
      .no_effect()
      .accepts_one_text()
      .path();
  LS_KEY(t, datasets.precomputed_proposal_topk_test, "Proposals kept per image from those files.")
      .no_effect()
      .at_least(0);

  t.section("INPUT", "From the image file to the network's input.");
  LS_KEY(t, input.min_size_train,
         "Length of the shorter edge in training, in pixels: the sizes to choose from, or the two ends of a range.")
      .at_least(0);
  LS_KEY(t, input.min_size_train_sampling, "`choice`: one of MIN_SIZE_TRAIN; `range`: any size between its two values.")
      .choices({"choice", "range"});
  LS_KEY(t, input.max_size_train, "Largest length of the longer edge in training, in pixels.").at_least(1);
  LS_KEY(t, input.min_size_test,
         "Length of the shorter edge in evaluation and prediction, in pixels; 0 keeps the image's size.")
      .at_least(0);
  LS_KEY(t, input.max_size_test, "Largest length of the longer edge in evaluation and prediction, in pixels.")
      .at_least(1);
  LS_KEY(t, input.random_flip,
         "Flip of training images, each with probability 1/2; `both` (an extension) draws the two directions "
         "independently.")
      .choices({"none", "horizontal", "vertical", "both"});
  LS_KEY(t, input.format, "Order of the image's channels; MODEL.PIXEL_MEAN and PIXEL_STD are in this order.")
      .supports({"BGR", "RGB"});
  LS_KEY(t, input.mask_format, "Storage of instance masks.").no_effect().choices({"polygon", "bitmask"});
  LS_KEY(t, input.crop.enabled, "Random crops in training, before resizing.");
  LS_KEY(t, input.crop.type,
         "How the size of a crop is drawn: `relative` is the part SIZE of height and width, `relative_range` a part "
         "between SIZE and 1, `absolute` SIZE in pixels, `absolute_range` between SIZE[0] and SIZE[1] pixels, for "
         "height and width each.")
      .choices({"relative_range", "relative", "absolute", "absolute_range"});
  LS_KEY(t, input.crop.size, "Height and width of a crop, in pixels or as a part; see TYPE.").at_least(0);
  LS_KEY(t, input.brightness,
         "Range of the factor that every colour is multiplied by in training, as Detectron2's RandomBrightness.")
      .extension()
      .at_least(0);
  LS_KEY(t, input.contrast,
         "Range of the factor of every colour's distance to the picture's mean, as Detectron2's RandomContrast.")
      .extension()
      .at_least(0);
  LS_KEY(t, input.saturation,
         "Range of the factor of every colour's distance to its grey, as Detectron2's RandomSaturation; 0 is grey.")
      .extension()
      .at_least(0);

  t.section("DATALOADER", "The loader's threads, order and queues.");
  LS_KEY(t, dataloader.num_workers, "Loader threads of the process; the result does not depend on it. 0 is one thread.")
      .at_least(0);
  LS_KEY(t, dataloader.aspect_ratio_grouping,
         "Puts images of one orientation (wide or high) into a micro-batch, which saves padding.");
  LS_KEY(t, dataloader.filter_empty_annotations, "Leaves training images without usable boxes out.");
  LS_KEY(t, dataloader.sampler_train,
         "Order of the training images: `TrainingSampler` shuffles them in every epoch; `RepeatFactorTrainingSampler` "
         "also repeats the images of rare categories.")
      .supports({"TrainingSampler", "RepeatFactorTrainingSampler"});
  LS_KEY(t, dataloader.repeat_threshold,
         "Part of the images below which a category is rare for RepeatFactorTrainingSampler; an image is used "
         "max(1, sqrt(threshold / part)) times per epoch for its rarest category.")
      .at_least(0);
  LS_KEY(t, dataloader.repeat_sqrt, "The square root in that formula.");
  LS_KEY(t, dataloader.minibatch_queue_size, "Micro-batches that wait in the loader's queue, for all workers together.")
      .extension()
      .at_least(1);
  LS_KEY(t, dataloader.blobs_queue_capacity, "Micro-batches that wait in each worker's own queue.")
      .extension()
      .at_least(1);
  LS_KEY(t, dataloader.max_queue_mb,
         "Megabytes (2^20 bytes) of all waiting micro-batches; past it the loader builds one at a time. 0 is no limit.")
      .extension()
      .at_least(0);
  LS_KEY(t, dataloader.prefill, "What is ready before the first step: `one` micro-batch per worker, or `full` queues.")
      .extension()
      .choices({"one", "full"});
  LS_KEY(t, dataloader.max_bad_images,
         "Images that may be undecodable (each is replaced by another sample) before training stops.")
      .extension()
      .at_least(0);
}

}  // namespace lockstep
