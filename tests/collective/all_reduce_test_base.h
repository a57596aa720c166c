// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lockstep/collective/all_reduce.h"
#include "lockstep/graph/net.h"

namespace lockstep::test {

class PlainDevice : public DeviceContext {
 public:
  using DeviceContext::DeviceContext;
  void enter_thread() override {}
};

// A workspace over the devices cpu:<id>, with the operators of ops/ and collective/.
class CollectiveWorld {
 public:
  explicit CollectiveWorld(const std::vector<int>& device_ids);

  std::vector<DeviceId> device_ids() const;
  Workspace workspace;
  NetEnvironment environment;

 private:
  std::vector<std::unique_ptr<PlainDevice>> devices_;
};

// One all-reduce to be tried: `affix` as in add_all_reduce, `executor` simple or dag.
struct AllReduceCase {
  std::vector<int> device_ids;
  std::string affix = "_reduced";
  std::string executor = "simple";
};

// Resets the workspace, fills one blob of shape (1, 2, 3, 4) per device with the device's id + 1, runs the all-reduce
// once and compares every result of every device exactly. Returns what is wrong, one line per device with the sorted
// list of blobs below, or nothing.
std::string all_reduce_failure(const AllReduceFunction& reduce, const AllReduceCase& one);

}  // namespace lockstep::test
