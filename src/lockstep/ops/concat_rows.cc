// SPDX-License-Identifier: Apache-2.0
#include "lockstep/ops/schemas.h"

namespace lockstep {

void concat_rows_cpu(KernelContext& context);
void concat_rows_reference(KernelContext& context);

OpSchema concat_rows_schema() {
  OpSchema schema("ConcatRows");
  schema.doc("Joins tables of equal width one below the other, such as the anchors of all pyramid levels.")
      .input("tables", "[rows,K] each; any number of rows")
      .variadic_inputs(1)
      .output("table", "[sum of rows,K]")
      .infer([](const InferContext& context) {
        std::int64_t rows = 0;
        for (int i = 0; i < context.input_count(); ++i) {
          context.require_real(i);
          context.require_rank(i, 2);
          context.require_dim(i, 1, context.dim(0, 1), "that of the first table");
          rows = rows < 0 || context.dim(i, 0) < 0 ? -1 : rows + context.dim(i, 0);
        }
        return std::vector<TensorInfo>{{context.real(), {rows, context.dim(0, 1)}}};
      })
      .no_gradient("it joins anchors and boxes, which are constants of the step")
      .cpu(function_kernel(concat_rows_cpu))
      .reference(function_kernel(concat_rows_reference));
  return schema;
}

}  // namespace lockstep
