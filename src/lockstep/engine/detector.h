// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/data/dataset.h"
#include "lockstep/data/image.h"
#include "lockstep/tensor/tensor.h"

namespace lockstep {

// One detected object, in pixels of the picture that was given.
struct DetectedObject {
  float x1, y1, x2, y2;
  int class_index;
  float score;
};

// A trained model that detects objects in pictures, on one thread. Several detectors may share `parameters`,
// which are copied, on different threads.
class Detector {
 public:
  // `config` sizes the model; `parameters` by name without scope. kData when one is missing or has another shape.
  Detector(const Config& config, const std::map<std::string, const Tensor*>& parameters, int threads = 1);
  ~Detector();

  // Best score first; at most TEST.DETECTIONS_PER_IMAGE.
  std::vector<DetectedObject> detect(const Image& image);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Detections of all images of a data set, by image, with `workers` detectors on as many threads. Whatever the
// number of workers, the result is the same. `on_image(done)` is called on the calling thread now and then;
// what it throws ends the work.
std::vector<std::vector<DetectedObject>> detect_all(const Config& config,
                                                    const std::map<std::string, const Tensor*>& parameters,
                                                    const Dataset& dataset, int workers, int threads,
                                                    const std::function<void(std::size_t done)>& on_image = {});

}  // namespace lockstep
