// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/graph/kernel.h"
#include "lockstep/ops/sampling.h"

namespace lockstep {

void rpn_sample_cpu(KernelContext& context) {
  const OpArgs& args = context.args();
  const std::uint32_t key = philox_key(args.text("key"));
  const std::int64_t images = context.input(1).size();
  const std::int64_t count = images == 0 ? 0 : context.input(0).size() / images;
  const std::int32_t* labels = context.input(0).data<std::int32_t>();
  std::int32_t* sampled = context.output(0).data<std::int32_t>();
  for (std::int64_t n = 0; n < images; ++n) {
    const auto sample_id = static_cast<std::uint64_t>(context.input(1).data<std::int64_t>()[n]);
    PhiloxStream stream(context.seed(), sample_id, key);
    const LabelSample sample = sample_labels(labels + n * count, count, 0, args.integer("batch_size"),
                                             args.number("positive_fraction"), stream);
    std::int32_t* to = sampled + n * count;
    std::fill_n(to, count, -1);
    for (const std::int32_t row : sample.objects) to[row] = 1;
    for (const std::int32_t row : sample.background) to[row] = 0;
  }
}

}  // namespace lockstep
