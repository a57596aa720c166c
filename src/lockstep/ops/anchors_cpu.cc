// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "lockstep/graph/kernel.h"
#include "lockstep/ops/boxes.h"

namespace lockstep {
namespace {

template <typename T>
void anchors(KernelContext& context) {
  const OpArgs& args = context.args();
  std::vector<Box<T>> cell;  // the anchors of a cell around (0, 0)
  for (const double size : args.numbers("sizes")) {
    for (const double ratio : args.numbers("aspect_ratios")) {
      const double width = std::sqrt(size * size / ratio);
      const double height = ratio * width;
      cell.push_back({static_cast<T>(-width / 2), static_cast<T>(-height / 2), static_cast<T>(width / 2),
                      static_cast<T>(height / 2)});
    }
  }
  const double stride = args.number("stride");
  const double offset = args.number("offset");
  const std::int64_t height = context.input(0).dim(2);
  const std::int64_t width = context.input(0).dim(3);
  Tensor& output = context.output(0);
  output.resize(DTypeOf<T>::value, {height * width * static_cast<std::int64_t>(cell.size()), 4});
  T* row = output.data<T>();
  for (std::int64_t y = 0; y < height; ++y) {
    const T shift_y = static_cast<T>((static_cast<double>(y) + offset) * stride);
    for (std::int64_t x = 0; x < width; ++x) {
      const T shift_x = static_cast<T>((static_cast<double>(x) + offset) * stride);
      for (const Box<T>& anchor : cell) {
        row[0] = shift_x + anchor.x1;
        row[1] = shift_y + anchor.y1;
        row[2] = shift_x + anchor.x2;
        row[3] = shift_y + anchor.y2;
        row += 4;
      }
    }
  }
}

}  // namespace

void anchors_cpu(KernelContext& context) { anchors<float>(context); }
void anchors_reference(KernelContext& context) { anchors<double>(context); }

}  // namespace lockstep
