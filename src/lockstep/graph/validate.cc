// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/validate.h"

#include <fmt/ranges.h>

#include <set>

#include "lockstep/base/check.h"
#include "lockstep/graph/operator.h"

namespace lockstep {
namespace {

std::string op_text(const OperatorDef& op) { return fmt::format("op {} '{}'", op.type(), op.name()); }

// Adds "where: message" when `check` throws an Error.
template <typename F>
bool succeeds(const std::string& where, std::vector<std::string>* problems, F&& check) {
  try {
    check();
    return true;
  } catch (const Error& error) {
    if (problems != nullptr) problems->push_back(where + ": " + error.message());
    return false;
  }
}

void check_names(const NetDef& net, std::vector<std::string>& problems) {
  std::set<std::string> sources;
  for (const std::string& name : net.external_input()) {
    if (!sources.insert(name).second) problems.push_back(fmt::format("external input '{}' is declared twice", name));
  }
  std::set<std::string> missing;  // named once, with the first operator that wants it
  const auto need = [&](const OperatorDef& op, const std::string& name, const char* what) {
    if (sources.contains(name) || !missing.insert(name).second) return;
    problems.push_back(fmt::format("{}: {} '{}' has no source", op_text(op), what, name));
  };
  for (const OperatorDef& op : net.op()) {
    for (const std::string& name : op.input()) need(op, name, "input");
    for (const std::string& name : op.control_input()) need(op, name, "control input");
    for (const std::string& name : op.output()) {
      if (name.empty()) problems.push_back(fmt::format("{}: an output has no name", op_text(op)));
      sources.insert(name);
    }
  }
  std::set<std::string> outputs;
  for (const std::string& name : net.external_output()) {
    if (!outputs.insert(name).second) problems.push_back(fmt::format("external output '{}' is declared twice", name));
    if (!sources.contains(name)) problems.push_back(fmt::format("nothing produces external output '{}'", name));
  }
}

}  // namespace

std::map<std::string, TensorInfo> infer_shapes(const NetDef& net, const OpCatalog& catalog,
                                               const std::map<std::string, TensorInfo>& externals,
                                               std::vector<std::string>* problems) {
  std::map<std::string, TensorInfo> infos = externals;
  for (const OperatorDef& op : net.op()) {
    std::vector<TensorInfo> inputs;
    for (const std::string& name : op.input()) {
      const auto found = infos.find(name);
      if (found != infos.end()) inputs.push_back(found->second);
    }
    for (const std::string& name : op.output()) infos.erase(name);
    if (static_cast<int>(inputs.size()) < op.input_size() || !catalog.has(op.type())) continue;
    const OpSchema& schema = catalog.find(op.type());
    OpArgs args;
    // Arguments and counts are validate()'s to report.
    if (!schema.check_blobs(op).empty() || !succeeds("", nullptr, [&] { args = schema.resolve(op); })) continue;
    succeeds(op_text(op), problems, [&] {
      const auto outputs = schema.infer_outputs(args, inputs, op.output_size(), DType::kF32);
      for (int o = 0; o < op.output_size(); ++o) infos[op.output(o)] = outputs[static_cast<std::size_t>(o)];
    });
  }
  return infos;
}

std::vector<std::string> structural_problems(const NetDef& net, const OpCatalog& catalog) {
  std::vector<std::string> problems;
  if (net.name().empty()) problems.push_back("the net has no name");
  for (const OperatorDef& op : net.op()) {
    succeeds(op_text(op), &problems, [&] { device_id(op.device_option()); });
    succeeds(op_text(op), &problems, [&] {
      const OpSchema& schema = catalog.find(op.type());
      for (const std::string& problem : schema.check_blobs(op)) problems.push_back(op_text(op) + ": " + problem);
      schema.resolve(op);
    });
  }
  check_names(net, problems);
  return problems;
}

std::vector<std::string> validate(const NetDef& net, const OpCatalog& catalog,
                                  const std::map<std::string, TensorInfo>& externals) {
  std::vector<std::string> problems = structural_problems(net, catalog);
  infer_shapes(net, catalog, externals, &problems);
  return problems;
}

void require_no_problems(const std::string& net_name, const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  LS_THROW(kGraph, "net '{}' has {} problem{}:\n    {}", net_name, problems.size(), problems.size() > 1 ? "s" : "",
           fmt::join(problems, "\n    "));
}

void require_valid(const NetDef& net, const OpCatalog& catalog, const std::map<std::string, TensorInfo>& externals) {
  require_no_problems(net.name(), validate(net, catalog, externals));
}

}  // namespace lockstep
