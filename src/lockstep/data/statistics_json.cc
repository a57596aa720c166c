// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "lockstep/base/json_text.h"
#include "lockstep/data/statistics.h"

namespace lockstep {

std::string statistics_json(const DataStatistics& statistics) {
  std::string classes;
  for (const ClassStatistics& one : statistics.classes) {
    classes += fmt::format(
        "{}{{\"name\": {}, \"boxes\": {}, \"crowd\": {}, \"images\": {}, \"recall_50\": {:.6f}, \"recall_70\": "
        "{:.6f}}}",
        classes.empty() ? "" : ", ", json_quote(one.name), one.boxes, one.crowd, one.images, one.recall_50,
        one.recall_70);
  }
  return fmt::format(
      "{{\"images\": {}, \"boxes\": {}, \"wide\": {}, \"high\": {}, \"square\": {}, \"box_size_percentiles\": "
      "{{\"5\": {:.3f}, \"25\": {:.3f}, \"50\": {:.3f}, \"75\": {:.3f}, \"95\": {:.3f}}}, \"recall_50\": {:.6f}, "
      "\"recall_70\": {:.6f}, \"proposed_anchor_sizes\": [{}], \"proposed_recall_50\": {:.6f}, "
      "\"proposed_recall_70\": {:.6f}, \"classes\": [{}]}}",
      statistics.images, statistics.boxes, statistics.wide, statistics.high, statistics.square, statistics.box_sizes[0],
      statistics.box_sizes[1], statistics.box_sizes[2], statistics.box_sizes[3], statistics.box_sizes[4],
      statistics.recall_50, statistics.recall_70, fmt::join(statistics.proposed_sizes, ", "),
      statistics.proposed_recall_50, statistics.proposed_recall_70, classes);
}

}  // namespace lockstep
