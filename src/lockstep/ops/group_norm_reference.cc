// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "lockstep/graph/kernel.h"
#include "lockstep/ops/channel_rows.h"

namespace lockstep {
namespace {

// Position in memory of pixel p of channel c of image n.
std::int64_t position(const ChannelRows& rows, std::int64_t n, std::int64_t c, std::int64_t p) {
  return rows.offset(n, c / rows.block) + p * rows.block + c % rows.block;
}

}  // namespace

void group_norm_reference(KernelContext& context) {
  const ChannelRows rows(context.input(0));
  const std::int64_t groups = context.args().integer("group");
  const std::int64_t per_group = rows.channels / groups;
  const double* x = context.input(0).data<double>();
  context.output(0).fill_zero();
  for (std::int64_t n = 0; n < rows.images; ++n) {
    for (std::int64_t g = 0; g < groups; ++g) {
      const auto each = [&](auto visit) {
        for (std::int64_t c = g * per_group; c < (g + 1) * per_group; ++c) {
          for (std::int64_t p = 0; p < rows.pixels; ++p) visit(c, position(rows, n, c, p));
        }
      };
      const double count = static_cast<double>(per_group * rows.pixels);
      double mean = 0.0, variance = 0.0;
      each([&](std::int64_t, std::int64_t at) { mean += x[at] / count; });
      each([&](std::int64_t, std::int64_t at) { variance += (x[at] - mean) * (x[at] - mean) / count; });
      const double inv_std = 1.0 / std::sqrt(variance + context.args().number("eps"));
      each([&](std::int64_t c, std::int64_t at) {
        context.output(0).data<double>()[at] =
            (x[at] - mean) * inv_std * context.input(1).data<double>()[c] + context.input(2).data<double>()[c];
      });
      context.output(1).data<double>()[n * groups + g] = mean;
      context.output(2).data<double>()[n * groups + g] = inv_std;
    }
  }
}

void group_norm_gradient_reference(KernelContext& context) {
  const ChannelRows rows(context.input(0));
  const std::int64_t groups = context.args().integer("group");
  const std::int64_t per_group = rows.channels / groups;
  const double* x = context.input(0).data<double>();
  const double* scale = context.input(1).data<double>();
  const double* dy = context.input(4).data<double>();
  Tensor dx(DType::kF64, context.input(0).shape(), context.input(0).layout());  // dY may be overwritten only at the end
  dx.fill_zero();
  context.output(1).fill_zero();
  context.output(2).fill_zero();
  for (std::int64_t n = 0; n < rows.images; ++n) {
    for (std::int64_t g = 0; g < groups; ++g) {
      const double mean = context.input(2).data<double>()[n * groups + g];
      const double inv_std = context.input(3).data<double>()[n * groups + g];
      const auto each = [&](auto visit) {
        for (std::int64_t c = g * per_group; c < (g + 1) * per_group; ++c) {
          for (std::int64_t p = 0; p < rows.pixels; ++p) {
            const std::int64_t at = position(rows, n, c, p);
            visit(c, at, (x[at] - mean) * inv_std);
          }
        }
      };
      const double count = static_cast<double>(per_group * rows.pixels);
      double mean_plain = 0.0, mean_product = 0.0;
      each([&](std::int64_t c, std::int64_t at, double normalised) {
        mean_plain += scale[c] * dy[at] / count;
        mean_product += scale[c] * dy[at] * normalised / count;
        context.output(1).data<double>()[c] += dy[at] * normalised;
        context.output(2).data<double>()[c] += dy[at];
      });
      each([&](std::int64_t c, std::int64_t at, double normalised) {
        dx.data<double>()[at] = inv_std * (scale[c] * dy[at] - mean_plain - normalised * mean_product);
      });
    }
  }
  context.output(0).copy_from(dx);
}

}  // namespace lockstep
