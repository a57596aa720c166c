// SPDX-License-Identifier: Apache-2.0
#include "ops/op_case.h"

namespace lockstep {
namespace {

const std::vector<std::int64_t> kFilter = {4, 3, 2, 2};

}  // namespace

std::vector<OpCase> fill_cases() {
  std::vector<OpCase> cases;
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "ConstantFill";
    one.args = {arg("shape", kFilter), arg("value", 0.5)};
    one.errors.push_back({"argument 'dtype' must be real, i32, i64 or u8, got 'f16'",
                          {},
                          std::vector<Argument>{arg("shape", kFilter), arg("dtype", "f16")},
                          {}});
    one.errors.push_back({"must not hold negative sizes, got [2,?]",
                          {},
                          std::vector<Argument>{arg("shape", std::vector<std::int64_t>{2, -1})},
                          {}});
  }
  for (const char* dtype : {"i32", "i64", "u8"}) {
    OpCase& one = cases.emplace_back();
    one.name = std::string("ConstantFill_") + dtype;
    one.type = "ConstantFill";
    one.args = {arg("shape", std::vector<std::int64_t>{3}), arg("value", 7), arg("dtype", dtype)};
  }
  {
    OpCase& one = cases.emplace_back();
    one.name = one.type = "GaussianFill";
    one.args = {arg("shape", kFilter), arg("mean", 1.0), arg("std", 0.01), arg("key", "cls_score_w")};
    one.errors.push_back(
        {"argument 'key' must not be empty", {}, std::vector<Argument>{arg("shape", kFilter), arg("key", "")}, {}});
  }
  for (const char* type : {"MSRAFill", "XavierFill"}) {
    OpCase& one = cases.emplace_back();
    one.name = one.type = type;
    one.args = {arg("shape", kFilter), arg("key", "conv1_w")};
    one.errors.push_back({"a filter has at least the axes output and input, got shape [3]",
                          {},
                          std::vector<Argument>{arg("shape", std::vector<std::int64_t>{3}), arg("key", "a")},
                          {}});
  }
  return cases;
}

}  // namespace lockstep
