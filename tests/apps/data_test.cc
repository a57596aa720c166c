// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/tiny_world.h"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

class DataCommands : public TinyWorld {};

TEST_F(DataCommands, CheckReportsBothPartsAndWhatAnchorsReach) {
  const Ended check = lockstep({"data", "check", "data", "--decode", "full"});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  for (const char* text :
       {"data/instances_train.json\n", "data/instances_val.json\n", "reachable at IoU 0.5", "circle"}) {
    EXPECT_THAT(check.out, HasSubstr(text));
  }
  const Ended json = lockstep({"data", "check", "--config-file", "tiny.yaml", "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_THAT(json.out, testing::StartsWith("{\"good\": true, \"fail\": 0"));
}

TEST_F(DataCommands, CheckEndsWithAnErrorWhenTrainingWould) {
  write("data/images/000000.jpg", "");
  const Ended damaged = lockstep({"data", "check", "data"});
  EXPECT_EQ(damaged.exit_code, 0) << damaged.err;
  EXPECT_THAT(damaged.out, HasSubstr("drop       1  file-undecodable"));
  const Ended strict = lockstep({"data", "check", "data", "--strict"});
  EXPECT_EQ(strict.exit_code, 2);
  EXPECT_THAT(strict.last_line(), HasSubstr("1 records would be left out, which --strict makes an error"));
  std::filesystem::remove(path("data/images/000000.jpg"));
  const Ended missing = lockstep({"data", "check", "data", "--json"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.out, testing::StartsWith("{\"good\": false, \"fail\": 1"));
  EXPECT_THAT(missing.last_line(), HasSubstr("1 records would end training"));
}

TEST_F(DataCommands, ShowDrawsSheets) {
  const Ended show = lockstep({"data", "show", "data", "--out", "sheets", "--images", "13"});
  ASSERT_EQ(show.exit_code, 0) << show.err;
  EXPECT_EQ(show.out, "sheets/sheet_001.png\nsheets/sheet_002.png\n");
  EXPECT_THAT(read("sheets/sheet_001.png"), testing::StartsWith("\x89PNG"));
  const Ended augmented = lockstep({"data", "show", "data", "--out", "augmented", "--augmented", "--images", "4"});
  EXPECT_EQ(augmented.exit_code, 0) << augmented.err;
  EXPECT_TRUE(exists("augmented/sheet_001.png"));
}

TEST_F(DataCommands, SplitAndConvertWriteNewFilesOnly) {
  const Ended split = lockstep({"data", "split", "data", "--val", "0.4", "--out", "split"});
  ASSERT_EQ(split.exit_code, 0) << split.err;
  EXPECT_THAT(split.out, HasSubstr("DATASETS.TRAIN coco:" + path("split/instances_train.json").string()));
  EXPECT_EQ(lockstep({"data", "check", "coco:split/instances_train.json:data/images"}).exit_code, 0);
  const Ended again = lockstep({"data", "split", "data", "--out", "split"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.last_line(), HasSubstr("nothing is overwritten"));
  const Ended convert = lockstep({"data", "convert", "data", "--out", "converted", "--json"});
  EXPECT_EQ(convert.exit_code, 0) << convert.err;
  EXPECT_TRUE(exists("converted/instances_train.json") && exists("converted/instances_val.json"));
}

TEST_F(DataCommands, SayWhatIsWanted) {
  EXPECT_THAT(lockstep({"data"}).last_line(), HasSubstr("wanted check, show, split or convert"));
  EXPECT_THAT(lockstep({"data", "check"}).last_line(), HasSubstr("no data; name a data set"));
  EXPECT_THAT(lockstep({"data", "check", "data", "--decode", "half"}).last_line(), HasSubstr("none, header or full"));
  EXPECT_THAT(lockstep({"data", "show", "data"}).last_line(), HasSubstr("by --out"));
}

}  // namespace
}  // namespace lockstep::test
