// SPDX-License-Identifier: Apache-2.0
#include "ops/operator_docs.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

std::string limits(const OpSchema::Arg& arg) {
  const bool low = arg.low > -std::numeric_limits<double>::infinity();
  const bool high = arg.high < std::numeric_limits<double>::infinity();
  if (low && high) return fmt::format(", {} to {}", arg.low, arg.high);
  if (low) return fmt::format(", at least {}", arg.low);
  if (high) return fmt::format(", at most {}", arg.high);
  return "";
}

// The name of a slot with its place in a variadic list written as i.
std::string general_name(const std::string& name) {
  const std::size_t bracket = name.find('[');
  return bracket == std::string::npos ? name : name.substr(0, bracket) + "[i]";
}

std::string in_place_text(const OpSchema& schema) {
  if (schema.may_be_in_place_anywhere()) return "any output on any input";
  std::string text, last;
  for (const auto& [input, output] : schema.in_place_pairs()) {
    const std::string pair =
        fmt::format("{} on {}", general_name(schema.output_name(output)), general_name(schema.input_name(input)));
    if (pair != last) text += (text.empty() ? "" : ", ") + pair;
    last = pair;
  }
  return text;
}

std::string section(const OpSchema& schema) {
  std::string text = fmt::format("\n## {}\n\n{}\n\n", schema.type(), schema.documentation());
  for (const OpSchema::Slot& slot : schema.inputs()) text += fmt::format("- input **{}**: {}\n", slot.name, slot.doc);
  for (const OpSchema::Slot& slot : schema.outputs()) text += fmt::format("- output **{}**: {}\n", slot.name, slot.doc);
  for (const OpSchema::Arg& arg : schema.args()) {
    const std::string value = arg.required ? "required" : "default " + to_string(arg.default_value);
    text += fmt::format("- argument `{}` ({}, {}{}): {}\n", arg.name, kind_name(arg.default_value), value, limits(arg),
                        arg.doc);
  }
  const std::string in_place = in_place_text(schema);
  if (!in_place.empty()) text += fmt::format("- in place: {}\n", in_place);
  if (!schema.has_gradient()) text += fmt::format("- no gradient: {}\n", schema.no_gradient_reason());
  return text;
}

}  // namespace

std::string operators_markdown(const OpCatalog& catalog) {
  std::string text =
      "# Operators\n\n"
      "Written by the test `Catalog.OperatorsPageIsCurrent` from the schemas in the rooms ops, collective and\n"
      "solver; run it with `LOCKSTEP_UPDATE_DOCS=1` to write it again. Real tensors are f32, or f64 on the reference "
      "engine.\n";
  for (const std::string& type : catalog.types()) text += section(catalog.find(type));
  return text;
}

}  // namespace lockstep
