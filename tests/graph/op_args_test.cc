// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/op_args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

using test::error_of;
using testing::HasSubstr;

const OpArgs& sample() {
  static const OpArgs args({{"i", std::int64_t{-3}},
                            {"off", std::int64_t{0}},
                            {"f", 0.1},
                            {"s", std::string("text")},
                            {"is", std::vector<std::int64_t>{1, 2}},
                            {"fs", std::vector<double>{0.5}},
                            {"ss", std::vector<std::string>{"a", "b"}}});
  return args;
}

TEST(OpArgs, EveryKindReadsBack) {
  EXPECT_EQ(sample().integer("i"), -3);
  EXPECT_TRUE(sample().flag("i"));
  EXPECT_FALSE(sample().flag("off"));
  EXPECT_EQ(sample().number("f"), 0.1);
  EXPECT_EQ(sample().text("s"), "text");
  EXPECT_THAT(sample().integers("is"), testing::ElementsAre(1, 2));
  EXPECT_THAT(sample().numbers("fs"), testing::ElementsAre(0.5));
  EXPECT_THAT(sample().texts("ss"), testing::ElementsAre("a", "b"));
}

TEST(OpArgs, AnotherKindOrAnUndeclaredNameIsOurMistake) {
  EXPECT_THAT(error_of([] { sample().integer("f"); }),
              HasSubstr("a kernel reads argument 'f' as int, but it is float\n"));
  EXPECT_THAT(error_of([] { sample().number("i"); }),
              HasSubstr("a kernel reads argument 'i' as float, but it is int\n"));
  EXPECT_THAT(error_of([] { sample().text("ss"); }), HasSubstr("reads argument 'ss' as string, but it is strings\n"));
  EXPECT_THAT(error_of([] { sample().integers("fs"); }), HasSubstr("reads argument 'fs' as ints, but it is floats\n"));
  EXPECT_THAT(error_of([] { sample().numbers("is"); }), HasSubstr("reads argument 'is' as floats, but it is ints\n"));
  EXPECT_THAT(error_of([] { sample().texts("s"); }), HasSubstr("reads argument 's' as strings, but it is string\n"));
  try {
    sample().integer("missing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_EQ(error.message(), "a kernel reads argument 'missing', which its schema does not declare");
  }
}

TEST(OpArgs, ValuesPrint) {
  EXPECT_EQ(to_string(ArgValue(std::int64_t{7})), "7");
  EXPECT_EQ(to_string(ArgValue(0.1)), "0.1");
  EXPECT_EQ(to_string(ArgValue(std::vector<std::int64_t>{1, 2})), "[1, 2]");
}

TEST(Catalog, UnknownTypesNameTheNearest) {
  EXPECT_EQ(error_of([] { test::catalog().find("Scael"); }),
            "operator type 'Scael' does not exist; did you mean 'Scale'?");
  EXPECT_EQ(error_of([] { test::catalog().find("Transmogrify"); }), "operator type 'Transmogrify' does not exist");
  EXPECT_FALSE(test::catalog().has("Scael"));
}

TEST(Catalog, ATypeStandsThereOnce) {
  OpCatalog catalog;
  catalog.add(OpSchema("B"));
  catalog.add(OpSchema("A"));
  EXPECT_THAT(error_of([&] { catalog.add(OpSchema("B")); }), HasSubstr("operator B stands twice in the catalog"));
  EXPECT_THAT(catalog.types(), testing::ElementsAre("A", "B"));
}

}  // namespace
}  // namespace lockstep
