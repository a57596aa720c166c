// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/detector.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/base/check.h"
#include "lockstep/data/image_decode.h"
#include "lockstep/data/test_input.h"
#include "lockstep/engine/data_options.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/engine/numerics.h"
#include "lockstep/eval/postprocess.h"
#include "lockstep/graph/net.h"

namespace lockstep {

class Detector::Impl {
 public:
  Impl(const Config& config, const std::map<std::string, const Tensor*>& parameters, int threads)
      : catalog_(full_catalog()),
        nets_(build_test_nets(config)),
        device_(config.root_gpu_id, threads),
        scope_(device_scope(device_.id()) + "/"),
        options_(test_input_options(config)) {
    pin_instruction_set(config);
    NetEnvironment environment;
    environment.catalog = &catalog_;
    environment.workspace = &workspace_;
    environment.devices = {&device_};
    for (const Parameter& wanted : nets_.parameters) {
      const auto found = parameters.find(wanted.name);
      LS_CHECK(kData, found != parameters.end(), "the weights have no tensor '{}' {}", wanted.name,
               to_string(wanted.shape));
      LS_CHECK(kData, found->second->shape() == wanted.shape, "tensor '{}' of the weights is {}, the model wants {}",
               wanted.name, found->second->describe(), to_string(wanted.shape));
      workspace_.feed(scope_ + wanted.name, *found->second);
    }
    workspace_.create(scope_ + "data");
    workspace_.create(scope_ + "im_info");
    net_ = make_net(nets_.net, environment);
  }

  std::vector<DetectedObject> detect(const Image& image) {
    TestInput input = make_test_input(image, options_);
    const float* info = input.im_info.data<float>();
    const NetworkInputSize size{info[0], info[1]};
    workspace_.get(scope_ + "data").tensor() = std::move(input.data);
    workspace_.get(scope_ + "im_info").tensor() = std::move(input.im_info);
    net_->run();
    const float* boxes = workspace_.fetch(nets_.detections.boxes).data<float>();
    const float* scores = workspace_.fetch(nets_.detections.scores).data<float>();
    const std::int32_t* classes = workspace_.fetch(nets_.detections.classes).data<std::int32_t>();
    const std::int64_t count = workspace_.fetch(nets_.detections.scores).size();
    std::vector<DetectedObject> found;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto box = scale_to_original({boxes[i * 4], boxes[i * 4 + 1], boxes[i * 4 + 2], boxes[i * 4 + 3]}, size,
                                         input.original.width, input.original.height);
      if (!box) continue;
      found.push_back({box->x1, box->y1, box->x2, box->y2, classes[i], scores[i]});
    }
    return found;
  }

 private:
  OpCatalog catalog_;
  TestNets nets_;
  CpuDevice device_;
  std::string scope_;
  TestInputOptions options_;
  Workspace workspace_;
  std::unique_ptr<Net> net_;
};

Detector::Detector(const Config& config, const std::map<std::string, const Tensor*>& parameters, int threads)
    : impl_(std::make_unique<Impl>(config, parameters, threads)) {}
Detector::~Detector() = default;

std::vector<DetectedObject> Detector::detect(const Image& image) { return impl_->detect(image); }

std::vector<std::vector<DetectedObject>> detect_all(const Config& config,
                                                    const std::map<std::string, const Tensor*>& parameters,
                                                    const Dataset& dataset, int workers, int threads,
                                                    const std::function<void(std::size_t done)>& on_image) {
  std::vector<std::vector<DetectedObject>> results(dataset.images.size());
  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::optional<Error> first;
  const auto work = [&] {
    try {
      Detector detector(config, parameters, threads);
      for (std::size_t i = next++; i < results.size(); i = next++) {
        const ImageRecord& record = dataset.images[i];
        results[i] = detector.detect(load_image(record.path, {record.width, record.height}));
        ++done;
      }
    } catch (const Error& error) {
      next = results.size();  // nobody takes another image
      failed = true;
      std::lock_guard lock(mutex);
      if (!first) first = error;
    }
  };
  std::vector<std::jthread> threads_running;
  for (int w = 0; w < std::max(1, workers); ++w) threads_running.emplace_back(work);
  if (on_image) {
    while (done < results.size() && !failed) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      try {
        on_image(done);
      } catch (...) {
        next = results.size();
        throw;
      }
    }
  }
  for (std::jthread& thread : threads_running) thread.join();
  if (first) throw Error(*first);
  return results;
}

}  // namespace lockstep
