// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/io/safetensors.h"
#include "lockstep/tensor/shape.h"

namespace lockstep {

// A parameter that a model wants to start from a file.
struct WantedTensor {
  std::string name;
  Shape shape;
};

struct ShapeMismatch {
  std::string name;
  Shape wanted;  // the model's
  Shape found;   // the file's
};

// Every wanted tensor and every tensor of the file, each in exactly one list. Nothing is dropped silently; what to
// accept (a head for other classes, say) is the caller's choice.
struct WeightMatch {
  std::string file;
  std::vector<std::string> loaded;         // in the order wanted
  std::vector<std::string> missing;        // wanted, not in the file; in the order wanted
  std::vector<std::string> unused;         // in the file, not wanted; in the file's order
  std::vector<ShapeMismatch> other_shape;  // in both, with different shapes; in the order wanted

  bool complete() const { return missing.empty() && other_shape.empty(); }

  // One line of counts, then one line per tensor that was not loaded.
  std::string text() const;
};

// Compares names and shapes; reads no tensor.
WeightMatch match_weights(const SafetensorsFile& file, const std::vector<WantedTensor>& wanted);

}  // namespace lockstep
