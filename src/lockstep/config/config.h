// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/config/model_config.h"
#include "lockstep/config/training_time.h"

namespace lockstep {

// A recipe: every setting of a training run, with Detectron2's key names, defaults and meaning. A member has
// the lower-case name of its key (cfg.solver.base_lr is SOLVER.BASE_LR); "extension" marks keys that
// Detectron2 does not have. The meaning, range and support of every key stand in docs/config.md.

struct CropConfig {
  bool enabled = false;
  std::string type = "relative_range";
  std::vector<double> size = {0.9, 0.9};
};

struct InputConfig {
  std::vector<int> min_size_train = {800};  // pixels
  std::string min_size_train_sampling = "choice";
  int max_size_train = 1333;
  int min_size_test = 800;
  int max_size_test = 1333;
  std::string random_flip = "horizontal";
  CropConfig crop;
  std::vector<double> brightness = {1.0, 1.0};  // extension
  std::vector<double> contrast = {1.0, 1.0};    // extension
  std::vector<double> saturation = {1.0, 1.0};  // extension
  std::string format = "BGR";
  std::string mask_format = "polygon";
};

struct DatasetsConfig {
  std::vector<std::string> train;
  std::vector<std::string> proposal_files_train;
  int precomputed_proposal_topk_train = 2000;
  std::vector<std::string> test;
  std::vector<std::string> proposal_files_test;
  int precomputed_proposal_topk_test = 1000;
  std::map<std::string, std::string> catalog;  // extension: name -> DATA
  bool allow_empty_categories = false;         // extension
};

struct DataLoaderConfig {
  int num_workers = 4;  // threads
  bool aspect_ratio_grouping = true;
  std::string sampler_train = "TrainingSampler";
  double repeat_threshold = 0.0;
  bool repeat_sqrt = true;
  bool filter_empty_annotations = true;
  int minibatch_queue_size = 64;    // extension
  int blobs_queue_capacity = 8;     // extension
  std::string prefill = "one";      // extension
  int max_queue_mb = 2048;          // extension
  std::int64_t max_bad_images = 0;  // extension
};

struct ClipGradientsConfig {
  bool enabled = false;
  std::string clip_type = "value";
  double clip_value = 1.0;
  double norm_type = 2.0;
};

struct AmpConfig {
  bool enabled = false;
};

// The settings that depend on the number of workers.
struct ScaledSettings {
  std::int64_t ims_per_batch = 0;
  double base_lr = 0;
  double base_lr_end = 0;
  std::vector<double> lrs;
  std::int64_t max_iter = 0;
  std::vector<TrainingTime> steps;
  TrainingTime step_size;
  TrainingTime warmup_iters;
  TrainingTime checkpoint_period;
  TrainingTime eval_period;
};

// Those of the recipe that another one was scaled from, and the number of workers that it was made for.
struct ReferenceRecipe : ScaledSettings {
  std::int64_t world_size = 0;  // 0: none
};

struct SolverConfig {
  std::string lr_scheduler_name = "WarmupMultiStepLR";
  std::int64_t max_iter = 40000;
  double max_epochs = 0;  // extension; above 0 it takes the place of max_iter
  double base_lr = 0.001;
  double base_lr_end = 0.0;
  double momentum = 0.9;
  bool scale_momentum = true;             // extension: Detectron's
  double scale_momentum_threshold = 1.1;  // extension: Detectron's
  bool nesterov = false;
  double weight_decay = 0.0001;
  double weight_decay_norm = 0.0;
  double gamma = 0.1;
  std::vector<TrainingTime> steps = {30000};
  std::vector<double> lrs;  // extension: Detectron's SOLVER.LRS
  TrainingTime step_size;   // extension: Detectron's SOLVER.STEP_SIZE
  int num_decays = 3;
  double warmup_factor = 0.001;
  TrainingTime warmup_iters = 1000;
  std::string warmup_method = "linear";
  bool rescale_interval = false;
  TrainingTime checkpoint_period = 5000;
  double checkpoint_minutes = 0;    // extension
  std::int64_t ims_per_batch = 16;  // images of one step over all workers
  std::int64_t reference_world_size = 0;
  std::string scaling = "detectron2";  // extension
  std::string lr_scaling = "linear";   // extension
  ReferenceRecipe reference;           // extension
  double bias_lr_factor = 1.0;
  std::optional<double> weight_decay_bias;  // none: as WEIGHT_DECAY
  ClipGradientsConfig clip_gradients;
  AmpConfig amp;
  std::int64_t ims_per_micro_batch = 1;    // extension
  std::string update_rule = "detectron2";  // extension
  std::string collective = "lockstep";     // extension
  std::int64_t bucket_bytes = 4194304;     // extension
  std::string cpu_isa;                     // extension
  std::int64_t digest_period = 100;        // extension
};

// One line of TEST.EXPECTED_RESULTS: task ("bbox"), metric ("AP"), value, tolerance.
struct ExpectedResult {
  std::string task;
  std::string metric;
  double value = 0;
  double tolerance = 0;
};

struct TestAugConfig {
  bool enabled = false;
  std::vector<int> min_sizes = {400, 500, 600, 700, 800, 900, 1000, 1100, 1200};
  int max_size = 4000;
  bool flip = true;
};

struct PreciseBnConfig {
  bool enabled = false;
  int num_iter = 200;
};

struct TestConfig {
  std::vector<ExpectedResult> expected_results;
  TrainingTime eval_period = 0;
  std::vector<double> keypoint_oks_sigmas;
  int detections_per_image = 100;
  TestAugConfig aug;
  PreciseBnConfig precise_bn;
};

struct GlobalConfig {
  double hack = 1.0;
};

struct Config {
  // Defined in config.cc: inlined, they are large in every file that makes a Config.
  Config();
  Config(const Config&);
  Config(Config&&) noexcept;
  Config& operator=(const Config&);
  Config& operator=(Config&&) noexcept;
  ~Config();

  int version = 2;
  ModelConfig model;
  InputConfig input;
  DatasetsConfig datasets;
  DataLoaderConfig dataloader;
  SolverConfig solver;
  TestConfig test;
  std::string output_dir = "./output";
  std::int64_t seed = -1;
  bool cudnn_benchmark = false;
  std::string float32_precision;
  std::int64_t vis_period = 0;
  GlobalConfig global;
  int root_gpu_id = 0;  // extension

  // The paths of the keys that a file, an override or the program has set, such as "SOLVER.BASE_LR"; a value
  // equal to the default counts as set. Code that assigns a member on the user's behalf inserts the path.
  std::set<std::string, std::less<>> set_keys;

  // What reading the config has to say: names of Detectron and what they were taken for, with their places.
  std::vector<std::string> notices;

  // True when the key was set anywhere ("MODEL.ROI_HEADS.NUM_CLASSES" decides where the classes come from).
  bool is_set(std::string_view path) const { return set_keys.find(path) != set_keys.end(); }
};

// The seed of every random draw: SEED, or the fixed seed 3 for SEED: -1 (Detectron2's default, which
// takes a new seed every time; a run of Lockstep is repeatable unless told otherwise).
inline std::uint64_t effective_seed(const Config& config) {
  return config.seed < 0 ? 3U : static_cast<std::uint64_t>(config.seed);
}

}  // namespace lockstep
