// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "lockstep/graph/kernel.h"
#include "lockstep/ops/channel_rows.h"

// One pass over memory gathers the statistics: chunks small enough for the first-level cache are read
// twice (mean, then squared deviations) and merged in double. Every sum has one order: lanes within a
// chunk, chunks, lanes of a channel, channels of a group.
namespace lockstep {
namespace {

constexpr std::int64_t kLanes = ChannelRows::kLanes;
constexpr std::int64_t kChunk = 2048;  // elements: 128 per lane, so that float sums stay exact enough
using Lanes = ChannelRows::Lanes<float>;

// Count, mean and sum of squared deviations of a set of numbers.
struct Moments {
  double count = 0.0;
  double mean = 0.0;
  double squares = 0.0;

  // Chan, Golub & LeVeque 1979.
  void merge(double other_count, double other_mean, double other_squares) {
    const double total = count + other_count;
    const double delta = other_mean - mean;
    mean += delta * (other_count / total);
    squares += other_squares + delta * delta * (count * other_count / total);
    count = total;
  }
};

using LaneMoments = std::array<Moments, kLanes>;

void add_chunk(const float* x, std::int64_t count, LaneMoments& moments) {
  const std::int64_t whole = count / kLanes * kLanes;
  const std::int64_t tail = count - whole;
  Lanes sum{}, mean{}, squares{}, counts{};
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += x[i + lane];
  }
  for (std::int64_t lane = 0; lane < tail; ++lane) sum[lane] += x[whole + lane];
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    counts[lane] = static_cast<float>(whole / kLanes + (lane < tail ? 1 : 0));
    mean[lane] = counts[lane] > 0.0f ? sum[lane] / counts[lane] : 0.0f;
  }
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float deviation = x[i + lane] - mean[lane];
      squares[lane] += deviation * deviation;
    }
  }
  for (std::int64_t lane = 0; lane < tail; ++lane) {
    const float deviation = x[whole + lane] - mean[lane];
    squares[lane] += deviation * deviation;
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (counts[lane] == 0.0f) continue;
    const double n = counts[lane];
    moments[lane].merge(n, sum[lane] / n, squares[lane]);
  }
}

void normalise_row(const float* x, float* y, std::int64_t count, const Lanes& mean, const Lanes& factor,
                   const Lanes& bias) {
  const std::int64_t whole = count / kLanes * kLanes;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      y[i + lane] = (x[i + lane] - mean[lane]) * factor[lane] + bias[lane];
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    y[i] = (x[i] - mean[i - whole]) * factor[i - whole] + bias[i - whole];
  }
}

// Sums over a row, per lane, of dy and of dy (x - mean).
void gradient_sums(const float* x, const float* dy, std::int64_t count, const Lanes& mean,
                   std::array<double, kLanes>& plain, std::array<double, kLanes>& centred) {
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    const std::int64_t end = std::min(count, begin + kChunk);
    const std::int64_t whole = begin + (end - begin) / kLanes * kLanes;
    Lanes sum{}, product{};
    for (std::int64_t i = begin; i < whole; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sum[lane] += dy[i + lane];
        product[lane] += dy[i + lane] * (x[i + lane] - mean[lane]);
      }
    }
    for (std::int64_t i = whole; i < end; ++i) {
      sum[i - whole] += dy[i];
      product[i - whole] += dy[i] * (x[i] - mean[i - whole]);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      plain[lane] += sum[lane];
      centred[lane] += product[lane];
    }
  }
}

// dx = dy a - (x - mean) b - c
void gradient_row(const float* x, const float* dy, float* dx, std::int64_t count, const Lanes& mean, const Lanes& a,
                  const Lanes& b, const Lanes& c) {
  const std::int64_t whole = count / kLanes * kLanes;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      dx[i + lane] = dy[i + lane] * a[lane] - (x[i + lane] - mean[lane]) * b[lane] - c[lane];
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    const std::int64_t lane = i - whole;
    dx[i] = dy[i] * a[lane] - (x[i] - mean[lane]) * b[lane] - c[lane];
  }
}

}  // namespace

void group_norm_cpu(KernelContext& context) {
  const ChannelRows rows(context.input(0));
  const std::int64_t groups = context.args().integer("group");
  const std::int64_t per_group = rows.channels / groups;
  const double eps = context.args().number("eps");
  const float* scale = context.input(1).data<float>();
  const float* bias = context.input(2).data<float>();
  std::vector<Moments> moments;
  for (std::int64_t n = 0; n < rows.images; ++n) {
    moments.assign(static_cast<std::size_t>(groups), {});
    for (std::int64_t row = 0; row < rows.rows_per_image; ++row) {
      const float* x = context.input(0).data<float>() + rows.offset(n, row);
      LaneMoments lanes{};
      for (std::int64_t begin = 0; begin < rows.row_size; begin += kChunk) {
        add_chunk(x + begin, std::min(kChunk, rows.row_size - begin), lanes);
      }
      for (std::int64_t c = 0; c < rows.channels_of(row); ++c) {
        Moments& group = moments[static_cast<std::size_t>((row * rows.block + c) / per_group)];
        for (std::int64_t lane = c; lane < kLanes; lane += rows.block) {
          const Moments& one = lanes[static_cast<std::size_t>(lane)];
          if (one.count > 0.0) group.merge(one.count, one.mean, one.squares);
        }
      }
    }
    float* mean = context.output(1).data<float>() + n * groups;
    float* inv_std = context.output(2).data<float>() + n * groups;
    for (std::int64_t g = 0; g < groups; ++g) {
      const Moments& group = moments[static_cast<std::size_t>(g)];
      mean[g] = static_cast<float>(group.mean);
      const double variance = group.count > 0.0 ? group.squares / group.count : 0.0;
      inv_std[g] = static_cast<float>(1.0 / std::sqrt(variance + eps));
    }
    for (std::int64_t row = 0; row < rows.rows_per_image; ++row) {
      const auto means = rows.spread<float>(row, [&](std::int64_t c) { return mean[c / per_group]; });
      const auto factors = rows.spread<float>(row, [&](std::int64_t c) { return scale[c] * inv_std[c / per_group]; });
      const auto biases = rows.spread<float>(row, [&](std::int64_t c) { return bias[c]; });
      const std::int64_t at = rows.offset(n, row);
      normalise_row(context.input(0).data<float>() + at, context.output(0).data<float>() + at, rows.row_size, means,
                    factors, biases);
    }
  }
}

void group_norm_gradient_cpu(KernelContext& context) {
  const ChannelRows rows(context.input(0));
  const std::int64_t groups = context.args().integer("group");
  const std::int64_t per_group = rows.channels / groups;
  const double group_size = static_cast<double>(per_group * rows.pixels);
  const float* scale = context.input(1).data<float>();
  const auto channels = static_cast<std::size_t>(rows.channels);
  std::vector<double> dscale(channels, 0.0), dbias(channels, 0.0);
  std::vector<double> group_plain, group_centred;  // sums of scale dY and of scale dY (X - mean)
  for (std::int64_t n = 0; n < rows.images; ++n) {
    const float* mean = context.input(2).data<float>() + n * groups;
    const float* inv_std = context.input(3).data<float>() + n * groups;
    group_plain.assign(static_cast<std::size_t>(groups), 0.0);
    group_centred.assign(static_cast<std::size_t>(groups), 0.0);
    const auto mean_of = [&](std::int64_t c) { return mean[c / per_group]; };
    for (std::int64_t row = 0; row < rows.rows_per_image; ++row) {
      const std::int64_t at = rows.offset(n, row);
      std::array<double, kLanes> plain{}, centred{};
      gradient_sums(context.input(0).data<float>() + at, context.input(4).data<float>() + at, rows.row_size,
                    rows.spread<float>(row, mean_of), plain, centred);
      for (std::int64_t in_row = 0; in_row < rows.channels_of(row); ++in_row) {
        const auto c = static_cast<std::size_t>(row * rows.block + in_row);
        const auto g = static_cast<std::size_t>(static_cast<std::int64_t>(c) / per_group);
        double channel_plain = 0.0, channel_centred = 0.0;
        for (std::int64_t lane = in_row; lane < kLanes; lane += rows.block) {
          channel_plain += plain[static_cast<std::size_t>(lane)];
          channel_centred += centred[static_cast<std::size_t>(lane)];
        }
        dbias[c] += channel_plain;
        dscale[c] += channel_centred * inv_std[g];
        group_plain[g] += scale[c] * channel_plain;
        group_centred[g] += scale[c] * channel_centred;
      }
    }
    for (std::int64_t row = 0; row < rows.rows_per_image; ++row) {
      const auto a = rows.spread<float>(row, [&](std::int64_t c) { return scale[c] * inv_std[c / per_group]; });
      const auto b = rows.spread<float>(row, [&](std::int64_t c) {
        const double inverse = inv_std[c / per_group];
        const double sum = group_centred[static_cast<std::size_t>(c / per_group)];
        return static_cast<float>(inverse * inverse * inverse * sum / group_size);
      });
      const auto shift = rows.spread<float>(row, [&](std::int64_t c) {
        const double sum = group_plain[static_cast<std::size_t>(c / per_group)];
        return static_cast<float>(inv_std[c / per_group] * sum / group_size);
      });
      const std::int64_t at = rows.offset(n, row);
      gradient_row(context.input(0).data<float>() + at, context.input(4).data<float>() + at,
                   context.output(0).data<float>() + at, rows.row_size, rows.spread<float>(row, mean_of), a, b, shift);
    }
  }
  for (std::size_t c = 0; c < channels; ++c) {
    context.output(1).data<float>()[c] = static_cast<float>(dscale[c]);
    context.output(2).data<float>()[c] = static_cast<float>(dbias[c]);
  }
}

}  // namespace lockstep
