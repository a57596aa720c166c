// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/voc_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <pugixml.hpp>
#include <string_view>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> number_of(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

// A size in pixels; 0 when there is none that makes sense.
int size_of(const pugi::xml_node& node) {
  const std::optional<double> number = number_of(node.child_value());
  constexpr double kMost = 1e6;
  return number && *number >= 1 && *number <= kMost ? static_cast<int>(*number) : 0;
}

VocObject read_object(const pugi::xml_node& node) {
  VocObject object;
  object.name = trimmed(node.child_value("name"));
  object.difficult = trimmed(node.child_value("difficult")) == "1";
  if (object.name.empty()) object.problem = "has no 'name'; wanted the class";
  const pugi::xml_node box = node.child("bndbox");
  if (!box) {
    object.problem = "has no 'bndbox'; wanted xmin, ymin, xmax and ymax";
    return object;
  }
  const auto corner = [&](const char* key, double& value) {
    const std::string_view text = box.child_value(key);
    const std::optional<double> number = number_of(text);
    if (!number) object.problem = fmt::format("has {} '{}'; wanted a number", key, text.substr(0, 40));
    value = number.value_or(0);
  };
  corner("xmin", object.xmin);
  corner("ymin", object.ymin);
  corner("xmax", object.xmax);
  corner("ymax", object.ymax);
  return object;
}

}  // namespace

VocFile parse_voc_file(std::span<const std::uint8_t> bytes, const std::string& path) {
  LS_CHECK(kData, !bytes.empty(), "cannot read {}: the file is empty; wanted a VOC annotation (XML)", path);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(bytes.data(), bytes.size());
  LS_CHECK(kData, parsed, "cannot read {}: no well-formed XML ({} at byte {})", path, parsed.description(),
           parsed.offset);
  const pugi::xml_node root = document.child("annotation");
  LS_CHECK(kData, root, "{} is no VOC annotation: its root is '{}', wanted 'annotation'", path,
           document.document_element().name());
  VocFile file;
  file.filename = trimmed(root.child_value("filename"));
  file.width = size_of(root.child("size").child("width"));
  file.height = size_of(root.child("size").child("height"));
  for (const pugi::xml_node& node : root.children("object")) file.objects.push_back(read_object(node));
  return file;
}

}  // namespace lockstep
