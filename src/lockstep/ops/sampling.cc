// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/sampling.h"

#include <algorithm>

namespace lockstep {
namespace {

std::vector<std::int32_t> draw(const std::vector<std::int32_t>& rows, std::int64_t wanted, PhiloxStream& stream) {
  std::vector<std::int32_t> drawn;
  for (const std::uint32_t i :
       stream.choose(static_cast<std::uint32_t>(rows.size()), static_cast<std::uint32_t>(wanted))) {
    drawn.push_back(rows[i]);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace

LabelSample sample_labels(const std::int32_t* labels, std::int64_t count, std::int32_t background_label,
                          std::int64_t batch_size, double positive_fraction, PhiloxStream& stream) {
  LabelSample all;
  for (std::int64_t i = 0; i < count; ++i) {
    if (labels[i] == -1) continue;
    (labels[i] == background_label ? all.background : all.objects).push_back(static_cast<std::int32_t>(i));
  }
  const auto objects = std::min(static_cast<std::int64_t>(static_cast<double>(batch_size) * positive_fraction),
                                static_cast<std::int64_t>(all.objects.size()));
  const auto background = std::min(batch_size - objects, static_cast<std::int64_t>(all.background.size()));
  LabelSample sample;
  sample.objects = draw(all.objects, objects, stream);
  sample.background = draw(all.background, background, stream);
  return sample;
}

}  // namespace lockstep
