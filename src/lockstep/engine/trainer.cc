// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <optional>

#include "lockstep/backend/cpu/cpu_isa.h"
#include "lockstep/base/check.h"
#include "lockstep/base/cpu_count.h"
#include "lockstep/base/log.h"
#include "lockstep/config/config.h"
#include "lockstep/config/dump.h"
#include "lockstep/config/resolve_epochs.h"
#include "lockstep/config/scaling_report.h"
#include "lockstep/config/support.h"
#include "lockstep/data/data_spec.h"
#include "lockstep/data/minibatch.h"
#include "lockstep/data/roi_data_loader.h"
#include "lockstep/data/roidb.h"
#include "lockstep/engine/checkpoint.h"
#include "lockstep/engine/checkpoint_clock.h"
#include "lockstep/engine/classes.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/evaluation.h"
#include "lockstep/engine/initial_weights.h"
#include "lockstep/engine/loader_watch.h"
#include "lockstep/engine/metrics_writer.h"
#include "lockstep/engine/process_exchange.h"
#include "lockstep/engine/run_directory.h"
#include "lockstep/engine/run_lock.h"
#include "lockstep/engine/run_record.h"
#include "lockstep/engine/step_trace.h"
#include "lockstep/engine/worker_group.h"
#include "lockstep/graph/print.h"
#include "lockstep/graph/validate.h"
#include "lockstep/io/atomic_file.h"
#include "lockstep/io/digest.h"
#include "lockstep/solver/lr_schedule.h"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostThreads = 256;  // of a worker; far more only keep the system busy with starting them

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

double steady_seconds() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

// The pace of the last steps, which the progress display shows.
class Pace {
 public:
  void add(double seconds) {
    recent_.push_back(seconds);
    if (recent_.size() > kWindow) recent_.pop_front();
  }
  double seconds_per_step() const {
    double sum = 0;
    for (const double seconds : recent_) sum += seconds;
    return recent_.empty() ? 0 : sum / static_cast<double>(recent_.size());
  }

 private:
  static constexpr std::size_t kWindow = 20;
  std::deque<double> recent_;
};

int chosen_workers(const TrainerOptions& options, int micro_batches, std::string& reason) {
  if (options.workers > 0) {
    reason = "as asked";
    return options.workers;
  }
  if (options.processes) {
    reason = "one per process";
    return options.processes->size();
  }
  LS_CHECK(kConfig, options.workers == 0, "--workers is {}; wanted at least 1", options.workers);
  const CpuCount cpus = available_cpus();
  const int by_cores = std::max(1, cpus.cores / std::max(1, options.threads));
  reason = by_cores < micro_batches ? cpus.reason : fmt::format("{} micro-batches in a step", micro_batches);
  return std::min(by_cores, micro_batches);
}

}  // namespace

class Trainer::Impl {
 public:
  Impl(const Config& config, TrainerOptions options, TrainerCallbacks callbacks, const OpCatalog& catalog)
      : merged_(config),
        config_(config),
        options_(std::move(options)),
        callbacks_(std::move(callbacks)),
        catalog_(catalog),
        directory_(config.output_dir) {
    check_input();
    build();
    load_weights();
    check_trace();
    compare_weights();
    if (!options_.check_only && is_first()) open_directory();
  }

  TrainResult run(const CancelToken& cancel);
  std::int64_t step() const { return step_; }
  std::string digest() const { return lockstep::digest(parameters()); }

 private:
  void scale_to_workers();
  void check_input();
  void load_data();
  void make_effective_config();
  void build();
  void open_directory();
  void load_weights();
  void compare_ranks() const;
  void compare_weights() const;
  void restore();
  // Whether this process writes the run directory and calls back.
  bool is_first() const { return !options_.processes || options_.processes->rank() == 0; }
  bool stops_together(bool wants_to_stop) const;
  void restore_best();
  void check_trace() const;
  void save_trace();

  void check_replicas() const;
  bool evaluation_is_owed() const;
  std::optional<StepReport> run_one_step(RoIDataLoader& loader, const CancelToken& cancel, bool& stopping);
  StepReport report(const std::vector<MicroBatchResult>& results, float learning_rate) const;
  void add_loader_times(StepReport& step, const LoaderReport& before, const LoaderReport& after) const;
  [[noreturn]] void explain(Error error, const RoIDataLoader& loader) const;
  bool evaluate(const CancelToken& cancel);  // false when it was cancelled
  void save(const std::string& path, std::optional<double> ap = {});
  void save_periodic() {
    if (!is_first()) return;
    const std::string path = directory_.checkpoint_file(step_);
    save(path);
    directory_.set_last_checkpoint(path);
  }
  NamedTensors parameters() const;
  NamedTensors momentum() const;
  template <typename... Args>
  void notice(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string line = fmt::format(format, std::forward<Args>(args)...);
    log_info("train", "{}", line);
    if (is_first() && callbacks_.on_notice) callbacks_.on_notice(line);
  }

  Config merged_;  // as given
  Config config_;  // scaled to the number of workers
  TrainerOptions options_;
  TrainerCallbacks callbacks_;
  const OpCatalog& catalog_;
  RunDirectory directory_;
  std::unique_ptr<RunLock> lock_;
  std::shared_ptr<Dataset> train_set_;
  std::shared_ptr<Dataset> test_set_;  // null when DATASETS.TEST is empty
  EvalGroundTruth test_truth_;
  bool resuming_ = false;
  TrainNets nets_;
  std::unique_ptr<WorkerGroup> workers_;
  const std::shared_ptr<StageClock> stage_clock_ = std::make_shared<StageClock>();
  std::unique_ptr<MinibatchBuilder> minibatches_;
  std::unique_ptr<MetricsWriter> metrics_;
  std::unique_ptr<StepTrace> trace_;  // null when none is asked for, and once it is saved
  std::int64_t step_ = 0;
  double best_ap_ = -1;
  Pace pace_;
};

// The linear scaling rule: the recipe states the number of workers that it was made for.
void Trainer::Impl::scale_to_workers() {
  if (options_.workers == 0) options_.workers = static_cast<int>(config_.solver.reference_world_size);
  const ScaledRecipe scaled = scale_recipe(std::make_shared<Config>(std::move(config_)), options_.workers);
  check_rounding(scaled);
  config_ = *scaled.config;
  if (scaled.config == scaled.reference) return;
  for (const ScalingRow& row : scaling_rows(scaled)) {
    if (row.scaled == row.reference) continue;
    notice("{} is {} for {} workers, {} for {} ({})", row.path, row.scaled, options_.workers, row.reference,
           scaled.reference->solver.reference_world_size, row.rule);
  }
  for (const std::string& remark : scaled.remarks) notice("{}", remark);
  const std::string warning = learning_rate_warning(scaled);
  if (!warning.empty()) notice("{}", warning);
}

void Trainer::Impl::check_input() {
  check_supported(merged_);
  LS_CHECK(kConfig, options_.threads >= 1 && options_.threads <= kMostThreads, "--threads is {}; wanted 1 to {}",
           options_.threads, kMostThreads);
  pin_instruction_set(merged_);
  LS_CHECK(kConfig, !merged_.datasets.train.empty(),
           "DATASETS.TRAIN is empty; name the training data, for example "
           "coco:instances_train.json:images");
  resuming_ = options_.resume == ResumeMode::kRequire ||
              (options_.resume == ResumeMode::kAuto && directory_.last_checkpoint().has_value());
  LS_CHECK(kConfig, !resuming_ || directory_.last_checkpoint().has_value(),
           "--resume: {} holds no checkpoint; train without --resume, or name the run's directory", directory_.path());
  // A run that was killed before its first checkpoint has nothing to lose.
  if (options_.resume == ResumeMode::kAuto && !directory_.holds_weights()) options_.overwrite = true;
  if (!resuming_) directory_.check(options_.overwrite);
  load_data();
  make_effective_config();
}

void Trainer::Impl::load_data() {
  const DatasetsConfig& names = merged_.datasets;
  Roidb roidb = combined_roidb_for_training(merged_);
  train_set_ = std::make_shared<Dataset>(std::move(roidb.dataset));
  if (!names.allow_empty_categories) require_boxes_in_every_category(*train_set_);
  set_classes(merged_, train_set_->categories);
  if (!names.test.empty()) {
    test_set_ = std::make_shared<Dataset>(load_dataset(names.test, names.catalog, DataSplit::kTest));
    map_to_categories(*test_set_, train_set_->categories, "DATASETS.TRAIN");
    check_images_exist(*test_set_);
    test_truth_ = evaluation_ground_truth(names, *test_set_);
  }
  notice("{} training images ({} read), {} classes: {}", train_set_->images.size(), roidb.images_read,
         train_set_->categories.size(), fmt::join(category_names(train_set_->categories), ", "));
}

// The recipe in iterations of this data set and for this number of workers.
void Trainer::Impl::make_effective_config() {
  config_ = resolve_epochs(merged_, images_per_epoch(merged_, *train_set_));
  if (config_.solver.reference_world_size > 0) scale_to_workers();
  check_supported(config_);
  check_schedule(config_.solver);
  for (const std::string& warning : schedule_warnings(config_.solver)) log_warning("train", "{}", warning);
}

void Trainer::Impl::build() {
  const int micro_batches = micro_batches_per_step(config_.solver);
  std::string reason;
  const int workers = chosen_workers(options_, micro_batches, reason);
  Placement placement{workers};
  if (options_.processes) placement = {workers, options_.processes->size(), options_.processes->rank()};
  nets_ = build_train_nets(config_, catalog_, placement);
  require_valid(nets_.step, catalog_, parameter_infos(nets_, catalog_));
  if (config_.model.device.starts_with("cuda")) {
    notice("MODEL.DEVICE is {}; this build has no CUDA and trains on the CPU", config_.model.device);
  }
  notice("{} workers ({}) with {} threads each on {}; {} images a step in {} micro-batches", workers, reason,
         options_.threads, effective_isa(), config_.solver.ims_per_batch, micro_batches);
  const auto images = static_cast<double>(images_per_epoch(config_, *train_set_));
  const auto batch = static_cast<double>(config_.solver.ims_per_batch);
  notice("iteration = {} images = {:.4g} epochs; {} iterations = {} images = {:.1f} epochs; seed {}",
         config_.solver.ims_per_batch, batch / images, config_.solver.max_iter,
         config_.solver.max_iter * config_.solver.ims_per_batch,
         static_cast<double>(config_.solver.max_iter) * batch / images, effective_seed(config_));
  if (options_.processes) {
    const MicroBatchRange local = placement.local_workers();
    notice("{} processes; rank {} has workers {} to {}", placement.processes, placement.rank, local.begin,
           local.end - 1);
    compare_ranks();
  }
  std::function<void(const OperatorDef&, double)> on_op;
  if (options_.trace && is_first()) {
    trace_ = std::make_unique<StepTrace>(*options_.trace, nets_.step);
    on_op = [this](const OperatorDef& op, double seconds) {
      if (trace_) trace_->add_op(op, seconds);
    };
  }
  workers_ = std::make_unique<WorkerGroup>(nets_, catalog_, std::vector<int>(nets_.ranges.size(), options_.threads),
                                           effective_seed(config_), std::move(on_op), options_.processes);
  minibatches_ = std::make_unique<MinibatchBuilder>(train_set_, minibatch_options(config_), stage_clock_);
  log_debug("train", "update rules\n{}", format_rules(nets_.rules));
}

// Ranks that differ would hang, or give a model that no recipe describes.
void Trainer::Impl::compare_ranks() const {
  const Numerics numerics = current_numerics(options_.threads);
  std::string images, parameters;
  for (const ImageRecord& image : train_set_->images) {
    images += fmt::format("image {} ({}) with {} boxes\n", image.id, image.file_name, image.boxes.size());
  }
  for (const Parameter& parameter : nets_.parameters) {
    parameters += fmt::format("{} {}\n", parameter.name, to_string(parameter.shape));
  }
  const std::string passed = shake_hands(*options_.processes,
                                         {{"build", numerics.build, true},
                                          {"instruction set", numerics.isa, true},
                                          {"threads", fmt::format("{}", numerics.threads), true},
                                          {"workers", fmt::format("{}", nets_.placement.workers)},
                                          {"recipe line", to_yaml(config_)},
                                          {"training data", images},
                                          {"parameter", parameters}},
                                         options_.allow_different_numerics);
  if (!passed.empty()) log_warning("train", "the processes have different numerics: {}", passed);
}

// Also holds the other ranks until all have read their weights.
void Trainer::Impl::compare_weights() const {
  if (!options_.processes) return;
  shake_hands(*options_.processes,
              {{"first step", fmt::format("{}", step_)}, {"weights with SHA-256", lockstep::digest(parameters())}},
              false);
}

bool Trainer::Impl::stops_together(bool wants_to_stop) const {
  if (!options_.processes) return wants_to_stop;
  std::vector<MicroBatchResult> none;
  return exchange_results(*options_.processes, {}, wants_to_stop, none);
}

void Trainer::Impl::open_directory() {
  directory_.make_folder();
  lock_ = std::make_unique<RunLock>(directory_.path());
  directory_.remove_stale_temporaries();
  if (!resuming_) directory_.create(options_.overwrite);
  write_file_atomically(directory_.file("config.yaml"), to_yaml(merged_));
  write_file_atomically(directory_.file("config.effective.yaml"), to_yaml(config_));
  std::string nets;
  for (const NetDef& net : nets_.accumulate) {
    if (net.op_size() > 0) nets += net_pbtxt(net);
  }
  write_file_atomically(directory_.file("net.pbtxt"), nets + net_pbtxt(nets_.step));
  write_file_atomically(directory_.file("init_net.pbtxt"), net_pbtxt(nets_.init));
  metrics_ = std::make_unique<MetricsWriter>(directory_.file("metrics.jsonl"), step_);
  write_run_record(directory_.file("run.json"), options_.argv, current_numerics(options_.threads),
                   nets_.placement.workers);
}

void Trainer::Impl::load_weights() {
  if (resuming_) {
    restore();
  } else if (!config_.model.weights.empty()) {
    const std::string report = load_initial_weights(config_.model.weights, nets_.parameters, *workers_);
    notice("{}", report);
  } else {
    check_trains_without_weights(config_);
  }
}

void Trainer::Impl::restore() {
  const std::string path = *directory_.last_checkpoint();
  const Checkpoint checkpoint = load_checkpoint(path);
  require_same_categories(checkpoint.info.categories, train_set_->categories, path);
  const std::string difference = describe_difference(checkpoint.info.numerics, current_numerics(options_.threads));
  LS_CHECK(kConfig, difference.empty() || options_.allow_different_numerics,
           "{} was written with other numerics ({}), so the run would not go on bit for bit; use the same, or accept "
           "it by --allow-different-numerics",
           path, difference);
  if (!difference.empty()) log_warning("train", "resuming with other numerics: {}", difference);
  LS_CHECK(kConfig, checkpoint.info.samples_seen == checkpoint.info.step * config_.solver.ims_per_batch,
           "{} was written after {} steps with {} samples, but the recipe's SOLVER.IMS_PER_BATCH {} makes {}: samples "
           "would be repeated or left out; resume with the IMS_PER_BATCH of the run, or start a new run with the file "
           "as MODEL.WEIGHTS",
           path, checkpoint.info.step, checkpoint.info.samples_seen, config_.solver.ims_per_batch,
           checkpoint.info.step * config_.solver.ims_per_batch);
  LS_CHECK(kConfig, checkpoint.info.seed == effective_seed(config_), "{} was trained with seed {}, the recipe says {}",
           path, checkpoint.info.seed, effective_seed(config_));
  restore_parameters(checkpoint, path, nets_.parameters, *workers_);
  step_ = checkpoint.info.step;
  restore_best();
  notice("resuming at step {} from {}", step_, path);
}

// The best model is not overwritten by a worse one after a resume. One from behind the checkpoint will come again.
void Trainer::Impl::restore_best() {
  const std::string path = directory_.file("model_best.safetensors");
  if (!std::filesystem::exists(path)) return;
  const CheckpointInfo best = read_weights_header(path).info;
  if (best.ap && best.step <= step_) best_ap_ = *best.ap;
}

void Trainer::Impl::check_trace() const {
  if (!options_.trace) return;
  const StepRange& range = *options_.trace;
  LS_CHECK(kConfig, range.last <= config_.solver.max_iter,
           "--trace steps={}:{}: the run ends with step {} (SOLVER.MAX_ITER)", range.first, range.last,
           config_.solver.max_iter);
  LS_CHECK(kConfig, range.first > step_, "--trace steps={}:{}: the run goes on with step {}", range.first, range.last,
           step_ + 1);
}

// The steps that ran: all of them, or those before the run was stopped.
void Trainer::Impl::save_trace() {
  if (trace_->steps() > 0) {
    const std::string path = directory_.file(
        fmt::format("trace_steps_{}_{}.json", options_.trace->first, options_.trace->first + trace_->steps() - 1));
    write_file_atomically(path, trace_->json());
    log_info("train", "saved {}; open it in https://ui.perfetto.dev or chrome://tracing", path);
  }
  trace_.reset();
}

TrainResult Trainer::Impl::run(const CancelToken& cancel) {
  LS_ASSERT(!options_.check_only, "this trainer was made to check its input, not to train");
  LoaderOptions options = loader_options(config_);
  options.end_step = config_.solver.max_iter;
  if (!options_.processes) options.cancel = &cancel;  // several stop together, after a step
  options.clock = stage_clock_;
  for (const MicroBatchRange& range : nets_.ranges) options.workers.push_back({range.begin, range.end});
  RoIDataLoader loader([this](std::int64_t step, std::int64_t index) { return minibatches_->build(step, index); },
                       minibatch_fields(), options);
  std::vector<std::shared_ptr<BlobsQueue>> queues;
  for (int w = 0; w < workers_->workers(); ++w) queues.push_back(loader.queue(static_cast<std::size_t>(w)));
  workers_->connect(queues);
  if (trace_) {
    trace_->watch([&loader, queues] {
      StepTrace::Depths depths;
      for (std::size_t w = 0; w < queues.size(); ++w) {
        depths.emplace_back(fmt::format("queue of worker {}", w), queues[w]->size());
      }
      depths.emplace_back("micro-batches in order", loader.minibatches_waiting());
      return depths;
    });
  }
  bool stopping = stops_together(cancel.requested());
  if (step_ < config_.solver.max_iter && !stopping) loader.start(step_, prefill_option(config_));

  const SolverConfig& solver = config_.solver;
  const std::int64_t checkpoint_period = solver.checkpoint_period.iterations();
  const std::int64_t eval_period = config_.test.eval_period.iterations();
  CheckpointClock checkpoint_clock(solver.checkpoint_minutes, options_.clock ? options_.clock : steady_seconds);
  const auto evaluation_is_due = [&] {
    return eval_period > 0 && step_ > 0 && step_ % eval_period == 0 && step_ < solver.max_iter;
  };
  LoaderWatch watch(loader.report());
  bool saved = step_ > 0;  // a run that is stopped before its first step can be resumed too
  if (evaluation_is_due() && evaluation_is_owed()) evaluate(cancel);
  const auto cancelled_alone = [&] { return !options_.processes && cancel.requested(); };
  while (step_ < solver.max_iter && !stopping && !cancelled_alone()) {
    loader.rethrow_if_failed();
    const std::optional<StepReport> finished = run_one_step(loader, cancel, stopping);
    if (!finished) break;  // cancelled while it waited for data
    const StepReport& done = *finished;
    saved = false;
    if (const std::string line = watch.after_step(loader.report(), done.seconds); !line.empty()) {
      log_warning("data", "{}", line);
    }
    if (is_first()) {
      metrics_->write(done);
      if (callbacks_.on_step) callbacks_.on_step(done);
    }
    const bool last = step_ == solver.max_iter;
    if (solver.digest_period > 0 && (step_ % solver.digest_period == 0 || last)) check_replicas();
    const bool is_due = checkpoint_period > 0 && (step_ % checkpoint_period == 0 || last);
    if (is_due || checkpoint_clock.is_due()) {
      save_periodic();
      checkpoint_clock.restart();
      saved = true;
    }
    if (evaluation_is_due()) evaluate(cancel);
  }
  if (trace_) save_trace();
  loader.shutdown();
  const bool cancelled = step_ < solver.max_iter;
  // Also stopped before the first step, the run can be resumed.
  if (!saved || (cancelled && !directory_.last_checkpoint())) save_periodic();
  if (cancelled) return TrainResult::kCancelled;
  save(directory_.file("model_final.safetensors"));
  return evaluate(cancel) ? TrainResult::kFinished : TrainResult::kCancelled;
}

// Within this process and over all.
void Trainer::Impl::check_replicas() const {
  workers_->check_replicas();
  if (!options_.processes) return;
  const auto digests = options_.processes->gather("digest of the parameters",
                                                  lockstep::digest(parameters()) + lockstep::digest(momentum()));
  for (std::size_t r = 1; r < digests.size(); ++r) {
    LS_ASSERT(digests[r] == digests[0],
              "the lockstep law is broken: parameters or momentum of rank {} differ from rank 0 after step {}", r,
              step_);
  }
}

// Whether the run was stopped between the checkpoint of its step and the evaluation.
bool Trainer::Impl::evaluation_is_owed() const {
  if (!resuming_) return false;
  const bool owed = is_first() && !metrics_->evaluated(step_);
  return options_.processes ? options_.processes->gather("evaluation", owed ? "owed" : "").front() == "owed" : owed;
}

// Nothing when the loader was cancelled before the step had all of its data; everything is then as before the step.
std::optional<StepReport> Trainer::Impl::run_one_step(RoIDataLoader& loader, const CancelToken& cancel,
                                                      bool& stopping) {
  const float learning_rate = lockstep::learning_rate(config_.solver, step_);
  const float previous = step_ > 0 ? lockstep::learning_rate(config_.solver, step_ - 1) : 0;
  const float correction = momentum_correction(config_.solver, previous, learning_rate);
  std::vector<std::pair<std::string, Tensor>> momentum_before;
  if (correction != 1) {
    for (const auto& [name, tensor] : momentum()) momentum_before.emplace_back(name + "_momentum", tensor->clone());
    workers_->scale_momentum(correction);
  }
  if (trace_) trace_->begin_step(step_ + 1);
  const auto start = Clock::now();
  const LoaderReport loader_before = loader.report();
  StepReport done;
  try {
    std::vector<MicroBatchResult> results = workers_->run_step(step_, learning_rate);
    if (options_.processes) {
      stopping = exchange_results(*options_.processes, nets_.ranges, cancel.requested(), results);
    }
    done = report(results, learning_rate);
  } catch (const Error& error) {
    // Every update needs the data of all workers, so a step without them has changed no parameter.
    if (error.kind() == ErrorKind::kData && loader.has_stopped() && !loader.first_error()) {
      for (const auto& [name, tensor] : momentum_before) workers_->set_parameter(name, tensor);
      return std::nullopt;
    }
    explain(error, loader);
  }
  ++step_;
  done.step = step_;
  done.seconds = seconds_between(start, Clock::now());
  add_loader_times(done, loader_before, loader.report());
  if (trace_) {
    trace_->end_step({{"total_loss", done.total_loss},
                      {"learning_rate", done.learning_rate},
                      {"loader_wait_ms", 1e3 * done.loader_wait_seconds}});
    if (step_ == options_.trace->last) save_trace();
  }
  pace_.add(done.seconds);
  done.images_per_second = static_cast<double>(config_.solver.ims_per_batch) / pace_.seconds_per_step();
  done.eta_seconds = pace_.seconds_per_step() * static_cast<double>(config_.solver.max_iter - step_);
  return done;
}

void Trainer::Impl::add_loader_times(StepReport& step, const LoaderReport& before, const LoaderReport& after) const {
  for (std::size_t w = 0; w < after.empty_wait.size(); ++w) {
    step.loader_waits.push_back(after.empty_wait[w] - before.empty_wait[w]);
    step.loader_wait_seconds += step.loader_waits.back() / workers_->workers();
  }
  for (const LoaderStage stage : kLoaderThreadStages) {
    const auto at = static_cast<std::size_t>(stage);
    step.loader_stages.emplace_back(to_string(stage), after.stages[at].seconds - before.stages[at].seconds);
  }
}

// A worker that finds its queue closed is never the cause; samples are told by the images behind them.
void Trainer::Impl::explain(Error error, const RoIDataLoader& loader) const {
  loader.rethrow_if_failed();
  if (error.kind() == ErrorKind::kNumeric) {
    std::string images;
    for (std::int64_t i = 0; i < config_.solver.ims_per_batch; ++i) {
      const std::int64_t sample = step_ * config_.solver.ims_per_batch + i;
      const ImageRecord& image =
          train_set_->images[static_cast<std::size_t>(minibatches_->sampler().image_index(sample))];
      images +=
          fmt::format("{}sample {} = image {} ({})", images.empty() ? "" : ", ", sample, image.id, image.file_name);
    }
    error.add_note("images of the step: " + images);
    error.add_note(fmt::format("learning rate {}; the last checkpoint is untouched",
                               lockstep::learning_rate(config_.solver, step_)));
  }
  throw Error(error);
}

StepReport Trainer::Impl::report(const std::vector<MicroBatchResult>& results, float learning_rate) const {
  StepReport done;
  done.max_iter = config_.solver.max_iter;
  done.learning_rate = learning_rate;
  // Always added in the order of the global index: the figures are equal for every number of workers.
  for (const auto& [name, blob] : nets_.losses[0]) done.losses.emplace_back(name, 0.0);
  for (const MicroBatchResult& result : results) {
    for (std::size_t i = 0; i < result.losses.size(); ++i) done.losses[i].second += result.losses[i];
  }
  for (const auto& [name, value] : done.losses) done.total_loss += value;
  return done;
}

NamedTensors Trainer::Impl::parameters() const {
  NamedTensors tensors;
  for (const Parameter& parameter : nets_.parameters) {
    tensors.emplace_back(parameter.name, &workers_->parameter(parameter.name));
  }
  return tensors;
}

NamedTensors Trainer::Impl::momentum() const {
  NamedTensors tensors;
  for (const Parameter& parameter : nets_.parameters) {
    const std::string name = parameter.name + "_momentum";
    if (workers_->has_blob(name)) tensors.emplace_back(parameter.name, &workers_->parameter(name));
  }
  return tensors;
}

void Trainer::Impl::save(const std::string& path, std::optional<double> ap) {
  if (!is_first()) return;
  for (const auto& [name, tensor] : parameters()) {
    const float* values = tensor->data<float>();
    LS_CHECK(kNumeric, std::all_of(values, values + tensor->size(), [](float value) { return std::isfinite(value); }),
             "parameter '{}' is not finite after step {}; nothing was saved, the last checkpoint is untouched", name,
             step_);
  }
  CheckpointInfo info;
  info.step = step_;
  info.samples_seen = step_ * config_.solver.ims_per_batch;
  info.workers = nets_.placement.workers;
  info.seed = effective_seed(config_);
  info.config_yaml = to_yaml(merged_);
  info.categories = train_set_->categories;
  info.numerics = current_numerics(options_.threads);
  info.ap = ap;
  save_checkpoint(path, info, parameters(), momentum());
  if (callbacks_.on_checkpoint) callbacks_.on_checkpoint(path);
}

bool Trainer::Impl::evaluate(const CancelToken& cancel) {
  struct Cancelled {};
  if (!test_set_) return true;
  if (!options_.processes && cancel.requested()) return false;
  std::map<std::string, const Tensor*> weights;
  for (const auto& [name, tensor] : parameters()) weights[name] = tensor;
  const auto start = Clock::now();
  const int workers = workers_->workers();
  std::vector<std::vector<DetectedObject>> detections;
  try {
    detections = options_.processes
                     ? detect_all(config_, weights, *test_set_, workers, options_.threads, *options_.processes)
                     : detect_all(config_, weights, *test_set_, workers, options_.threads, [&](std::size_t images) {
                         if (cancel.requested() && images < test_set_->images.size()) throw Cancelled();
                       });
  } catch (const Cancelled&) {
    return false;
  }
  if (!is_first()) return true;
  EvalReport done = evaluate_detections(*test_set_, test_truth_, detections);
  done.step = step_;
  done.seconds = seconds_between(start, Clock::now());
  metrics_->write(done);
  if (callbacks_.on_evaluation) callbacks_.on_evaluation(done);
  if (done.stats[0] > best_ap_) {
    best_ap_ = done.stats[0];
    save(directory_.file("model_best.safetensors"), best_ap_);
  }
  return true;
}

namespace {
const OpCatalog& shared_catalog() {
  static const OpCatalog catalog = full_catalog();
  return catalog;
}
}  // namespace

Trainer::Trainer(const Config& config, TrainerOptions options, TrainerCallbacks callbacks)
    : Trainer(config, std::move(options), std::move(callbacks), shared_catalog()) {}
Trainer::Trainer(const Config& config, TrainerOptions options, TrainerCallbacks callbacks, const OpCatalog& catalog)
    : impl_(std::make_unique<Impl>(config, std::move(options), std::move(callbacks), catalog)) {}
Trainer::~Trainer() = default;

TrainResult Trainer::run(const CancelToken& cancel) { return impl_->run(cancel); }
std::int64_t Trainer::step() const { return impl_->step(); }
std::string Trainer::digest() const { return impl_->digest(); }

}  // namespace lockstep
