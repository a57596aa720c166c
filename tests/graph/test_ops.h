// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/base/error.h"
#include "lockstep/graph/net.h"
#include "lockstep/graph/net_builder.h"

namespace lockstep::test {

// Small operators on vectors, enough to try the graph room without the operators of ops/:
// Mul, Sin, Tanh (in place), Add (in place, passes its gradient through), Sum, Scale (in place), SinCos (two
// outputs), Total, StopGradient, ConstantFill, Fail (throws), FailIf (throws when its second input is positive), Nap
// (sleeps), Meet (waits for others).
const OpCatalog& catalog();

class TestDevice : public DeviceContext {
 public:
  explicit TestDevice(int index) : DeviceContext({DeviceType::kCpu, index}) {}
  void enter_thread() override { ++entered; }
  std::atomic<int> entered = 0;
};

// A workspace with devices cpu:0 to cpu:n-1 and the environment over them.
struct World {
  explicit World(int devices = 1, Engine engine = Engine::kDevice);
  void feed(const std::string& name, const std::vector<double>& values);  // as the engine's real type
  std::vector<double> fetch(const std::string& name) const;

  Workspace workspace;
  std::vector<std::unique_ptr<TestDevice>> devices;
  NetEnvironment environment;
};

// "outputs = Type(inputs)" per operator with gradient operators marked by a star; the part of the text form that
// the gradient tests look at.
std::string ops_text(const NetDef& net);

// The text of the Error that `function` throws; empty when it throws none.
template <typename F>
std::string error_of(F&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace lockstep::test
