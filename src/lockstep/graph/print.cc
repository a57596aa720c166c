// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/graph/operator.h"

namespace lockstep {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string value_text(const Argument& argument) {
  if (argument.has_i()) return fmt::format("{}", argument.i());
  if (argument.has_f()) return fmt::format("{}", argument.f());
  if (argument.has_s()) return quoted(argument.s());
  if (argument.floats_size() > 0) return fmt::format("[{}]", fmt::join(argument.floats(), ", "));
  if (argument.strings_size() > 0) {
    std::vector<std::string> all;
    for (const std::string& one : argument.strings()) all.push_back(quoted(one));
    return fmt::format("[{}]", fmt::join(all, ", "));
  }
  return fmt::format("[{}]", fmt::join(argument.ints(), ", "));
}

std::string op_line(const OperatorDef& op) {
  std::vector<std::string> args;
  for (const Argument& argument : op.arg()) args.push_back(argument.name() + "=" + value_text(argument));
  std::sort(args.begin(), args.end());
  std::string line = fmt::format("{}{}{}({}", fmt::join(op.output(), ", "), op.output_size() > 0 ? " = " : "",
                                 op.type(), fmt::join(op.input(), ", "));
  if (!args.empty()) line += fmt::format("; {}", fmt::join(args, ", "));
  line += ")";
  if (op.control_input_size() > 0) line += fmt::format(" after {}", fmt::join(op.control_input(), ", "));
  if (!op.device_option().type().empty()) line += " @" + to_string(device_id(op.device_option()));
  if (op.priority() != 0) line += fmt::format(" priority {}", op.priority());
  return line;
}

std::string layout_text(Layout layout) { return layout == Layout::kPlain ? "" : " " + std::string(to_string(layout)); }

// Cells break between blobs at this width, so that a row with long names fits on a screen.
constexpr std::size_t kCellWidth = 60;

std::vector<std::string> cell_lines(const google::protobuf::RepeatedPtrField<std::string>& names,
                                    const std::vector<TensorInfo>& infos, const std::vector<Layout>& layouts) {
  std::vector<std::string> lines;
  for (int k = 0; k < names.size(); ++k) {
    std::string text = names[k];
    const auto at = static_cast<std::size_t>(k);
    if (at < infos.size()) text += " " + to_string(infos[at]) + layout_text(layouts[at]);
    if (k + 1 < names.size()) text += ",";
    if (!lines.empty() && lines.back().size() + 1 + text.size() <= kCellWidth) {
      lines.back() += " " + text;
    } else {
      lines.push_back(text);
    }
  }
  return lines;
}

std::string line_or_empty(const std::vector<std::string>& lines, std::size_t line) {
  return line < lines.size() ? lines[line] : "";
}

}  // namespace

std::string net_text(const NetDef& net) {
  std::string text = fmt::format("net {} ({})\n", net.name(), net.type().empty() ? "simple" : net.type());
  if (net.external_input_size() > 0) text += fmt::format("inputs {}\n", fmt::join(net.external_input(), ", "));
  if (net.external_output_size() > 0) text += fmt::format("outputs {}\n", fmt::join(net.external_output(), ", "));
  for (const OperatorDef& op : net.op()) text += op_line(op) + "\n";
  return text;
}

std::string net_table(const NetDef& net, const std::vector<OpPlan>& plans) {
  std::vector<std::vector<std::string>> rows = {
      {"#", "type", "device", "bytes", "MFLOP", "kernel", "inputs", "outputs", "why this kernel"}};
  std::size_t bytes = 0, unknown = 0;
  double flops = 0;
  for (int k = 0; k < net.op_size(); ++k) {
    const OperatorDef& op = net.op(k);
    const OpPlan& plan = plans.at(static_cast<std::size_t>(k));
    const std::vector<std::string> inputs = cell_lines(op.input(), plan.inputs, plan.input_layouts);
    const std::vector<std::string> outputs = cell_lines(op.output(), plan.outputs, plan.output_layouts);
    rows.push_back({std::to_string(k), op.type(), to_string(device_id(op.device_option())),
                    plan.known ? std::to_string(plan.output_bytes) : "?",
                    plan.flops ? fmt::format("{:.3f}", *plan.flops / 1e6) : "-", plan.kernel.kernel,
                    line_or_empty(inputs, 0), line_or_empty(outputs, 0), plan.kernel.reason});
    for (std::size_t line = 1; line < std::max(inputs.size(), outputs.size()); ++line) {
      rows.push_back({"", "", "", "", "", "", line_or_empty(inputs, line), line_or_empty(outputs, line), ""});
    }
    bytes += plan.output_bytes;
    flops += plan.flops.value_or(0);
    unknown += plan.known ? 0 : 1;
  }
  rows.push_back({"", "all", "", std::to_string(bytes) + (unknown > 0 ? "+?" : ""), fmt::format("{:.3f}", flops / 1e6),
                  "", "", "", ""});
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string net_pbtxt(const NetDef& net) {
  std::string text;
  LS_ASSERT(google::protobuf::TextFormat::PrintToString(net, &text), "net '{}' cannot be printed", net.name());
  return text;
}

}  // namespace lockstep
