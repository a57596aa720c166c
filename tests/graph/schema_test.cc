// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::IsEmpty;

OpSchema probe() {
  OpSchema schema("Probe");
  schema.input("X", "").input("bias", "").optional_inputs(1).output("Y", "").output("mask", "").optional_outputs(1);
  schema.arg("count", std::int64_t{2}, "how many").range(1, 8);
  schema.arg("factor", 0.5, "by how much").range(0, 1);
  schema.arg("mode", std::string("fast"), "how");
  schema.arg("sizes", std::vector<std::int64_t>{3}, "sizes").range(0, 10);
  schema.arg("weights", std::vector<double>{}, "weights");
  schema.arg("names", std::vector<std::string>{}, "names");
  schema.in_place(0, 0);
  return schema;
}

OperatorDef probe_op(const std::vector<Argument>& args) {
  NetBuilder b("net");
  return b.add("Probe", {"x"}, {"y"}, args);
}

std::string resolve_error(const std::vector<Argument>& args) {
  return error_of([&] { probe().resolve(probe_op(args)); });
}

TEST(Schema, DefaultsFillInWhatIsNotGiven) {
  const OpArgs args = probe().resolve(probe_op({arg("count", 8), arg("weights", std::vector<double>{0.25})}));
  EXPECT_EQ(args.integer("count"), 8);
  EXPECT_EQ(args.number("factor"), 0.5);
  EXPECT_EQ(args.text("mode"), "fast");
  EXPECT_THAT(args.integers("sizes"), ElementsAre(3));
  EXPECT_THAT(args.numbers("weights"), ElementsAre(0.25));
  EXPECT_THAT(args.texts("names"), IsEmpty());
}

TEST(Schema, AnIntegerWidensToAFloatButNotTheOtherWay) {
  EXPECT_EQ(probe().resolve(probe_op({arg("factor", 1)})).number("factor"), 1.0);
  EXPECT_EQ(resolve_error({arg("count", 2.0)}), "[Probe] argument 'count' must be of kind int");
}

TEST(Schema, UnknownArgumentsNameTheNearest) {
  EXPECT_EQ(resolve_error({arg("cuont", 1)}), "[Probe] unknown argument 'cuont'; did you mean 'count'?");
  EXPECT_EQ(resolve_error({arg("temperature", 1)}), "[Probe] unknown argument 'temperature'");
}

TEST(Schema, EveryKindIsChecked) {
  const std::vector<Argument> wrong = {arg("factor", "x"), arg("mode", 1), arg("sizes", 3),
                                       arg("weights", std::vector<std::int64_t>{1}),
                                       arg("names", std::vector<double>{1.0})};
  const char* const kinds[] = {"float", "string", "ints", "floats", "strings"};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(resolve_error({wrong[i]}),
              "[Probe] argument '" + wrong[i].name() + "' must be of kind " + std::string(kinds[i]));
  }
}

TEST(Schema, RangesAreInclusiveAndHoldForEveryNumberOfAList) {
  EXPECT_EQ(resolve_error({arg("count", 1)}), "");
  EXPECT_EQ(resolve_error({arg("count", 8)}), "");
  EXPECT_EQ(resolve_error({arg("count", 9)}), "[Probe] argument 'count' must lie in [1, 8], got 9");
  EXPECT_EQ(resolve_error({arg("factor", -0.25)}), "[Probe] argument 'factor' must lie in [0, 1], got -0.25");
  EXPECT_EQ(resolve_error({arg("factor", std::nan(""))}), "[Probe] argument 'factor' must lie in [0, 1], got nan");
  EXPECT_EQ(resolve_error({arg("sizes", std::vector<std::int64_t>{0, 11, 10})}),
            "[Probe] argument 'sizes' must lie in [0, 10], got 11");
}

TEST(Schema, RequiredArgumentsAndRepeatsAndSeveralProblemsAtOnce) {
  OpSchema schema = probe();
  schema.required_arg("axis", std::int64_t{0}, "the axis to split");
  const OperatorDef op = probe_op({arg("count", 0), arg("mode", "a"), arg("mode", "b")});
  EXPECT_EQ(error_of([&] { schema.resolve(op); }),
            "[Probe] argument 'count' must lie in [1, 8], got 0; argument 'mode' is given twice; "
            "argument 'axis' is missing: the axis to split");
}

std::vector<std::string> blob_problems(const OpSchema& schema, const std::vector<std::string>& inputs,
                                       const std::vector<std::string>& outputs) {
  NetBuilder b("net");
  return schema.check_blobs(b.add(schema.type(), inputs, outputs));
}

TEST(Schema, CountsOfInputsAndOutputs) {
  EXPECT_THAT(blob_problems(probe(), {"x"}, {"y"}), IsEmpty());
  EXPECT_THAT(blob_problems(probe(), {"x", "b"}, {"y", "m"}), IsEmpty());
  EXPECT_THAT(blob_problems(probe(), {}, {"y", "m", "z"}),
              ElementsAre("[Probe] wants 1 to 2 inputs, got 0", "[Probe] wants 1 to 2 outputs, got 3"));
  EXPECT_THAT(blob_problems(test::catalog().find("Mul"), {"x"}, {}),
              ElementsAre("[Mul] wants 2 inputs, got 1", "[Mul] wants 1 outputs, got 0"));
  EXPECT_THAT(blob_problems(test::catalog().find("Sum"), {"a", "b", "c", "d"}, {"y"}), IsEmpty());
  EXPECT_THAT(blob_problems(test::catalog().find("Sum"), {}, {"y"}),
              ElementsAre("[Sum] wants at least 1 inputs, got 0"));
}

TEST(Schema, InPlaceOnlyWhereItIsDeclared) {
  EXPECT_THAT(blob_problems(probe(), {"x", "b"}, {"x"}), IsEmpty());
  EXPECT_THAT(blob_problems(probe(), {"x", "b"}, {"b", "x"}),
              ElementsAre("[Probe] output 'Y' may not overwrite input 'bias' (blob 'b')",
                          "[Probe] output 'mask' may not overwrite input 'X' (blob 'x')"));
  EXPECT_THAT(blob_problems(probe().in_place_any(), {"x", "b"}, {"b", "x"}), IsEmpty());
  EXPECT_THAT(blob_problems(test::catalog().find("Sum"), {"a", "b"}, {"b"}),
              ElementsAre("[Sum] output 'Y' may not overwrite input 'X[1]' (blob 'b')"));
}

TEST(Schema, OneBlobIsNotWrittenTwice) {
  EXPECT_THAT(blob_problems(probe(), {"x"}, {"y", "y"}), ElementsAre("[Probe] writes blob 'y' twice"));
}

TEST(Schema, InferenceHelpersSayWhatWasFoundAndWanted) {
  OpSchema schema("Probe");
  schema.input("X", "").input("W", "").output("Y", "");
  const OpArgs args;
  const std::vector<TensorInfo> inputs = {{DType::kF32, {2, -1, 4}}, {DType::kI64, {2, 3, 5}}};
  const InferContext c(schema, args, inputs, 1, DType::kF32);
  EXPECT_EQ(error_of([&] { c.require_rank(0, 4); }), "[Probe] input 'X' must have 4 axes, got f32[2,?,4]");
  EXPECT_EQ(error_of([&] { c.require_real(1); }), "[Probe] input 'W' must be f32, got i64[2,3,5]");
  EXPECT_EQ(error_of([&] { c.require_dim(1, 2, 4, "the columns of X"); }),
            "[Probe] input 'W' must have size 4 on axis 2 (the columns of X), got i64[2,3,5]");
  EXPECT_EQ(error_of([&] { c.require_dim(0, 1, 7, "an unknown size matches"); }), "");
  EXPECT_EQ(error_of([&] { c.require_dim(0, 3, 7, "no such axis"); }),
            "[Probe] input 'X' must have size 7 on axis 3 (no such axis), got f32[2,?,4]");
  EXPECT_EQ(error_of([&] { c.require_same_shape(0, 1); }),
            "[Probe] inputs 'X' and 'W' must have one shape, got f32[2,?,4] and i64[2,3,5]");
}

}  // namespace
}  // namespace lockstep
