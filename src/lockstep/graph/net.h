// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/base/error.h"
#include "lockstep/graph/net.pb.h"
#include "lockstep/graph/operator.h"

namespace lockstep {

// A net that can run: its operators bound to a workspace.
class Net {
 public:
  virtual ~Net() = default;
  Net(const Net&) = delete;
  Net& operator=(const Net&) = delete;

  // Runs every operator once. The first error ends the run, carries the net's name, and leaves the net
  // runnable. Two runs at once of one net are refused.
  virtual void run() = 0;

  const std::string& name() const { return name_; }

 protected:
  Net(std::string name, const NetEnvironment& environment)
      : name_(std::move(name)), describe_run_(environment.describe_run) {}

  // Adds to an error of a run which net it was and what the environment says of the run.
  void describe(Error& error) const;

 private:
  std::string name_;
  std::function<std::string()> describe_run_;
};

// Makes the net that `def.type()` asks for: "simple" (or empty) runs in program order on the calling
// thread; "dag" runs operators as soon as their inputs are there, on the lanes of their devices. One kGraph error lists
// every problem of the net: an executor that does not exist, whatever structural_problems() finds, devices that are not
// there, and blobs that operators read although neither an earlier operator nor the workspace has them.
std::unique_ptr<Net> make_net(const NetDef& def, const NetEnvironment& environment);

// Makes a net, runs it once and drops it.
void run_net_once(const NetDef& def, const NetEnvironment& environment);

}  // namespace lockstep
