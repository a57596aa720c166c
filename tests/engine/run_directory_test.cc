// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/run_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/error_text.h"
#include "engine/small_run.h"
#include "lockstep/engine/run_lock.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

void touch(const std::string& path) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << "x";
}

TEST(RunDirectory, ANewOneIsMadeWithItsParents) {
  TemporaryFolder folder;
  const RunDirectory run(folder.file("deep/down/run"));
  EXPECT_FALSE(run.holds_run());
  run.create(false);
  EXPECT_TRUE(fs::is_directory(run.file("checkpoints")));
  EXPECT_FALSE(fs::exists(run.file(".write_test")));
  EXPECT_FALSE(run.holds_run());
  EXPECT_EQ(run.checkpoint_file(5000), run.file("checkpoints/step_00005000.safetensors"));
}

TEST(RunDirectory, ASecondRunIsRefused) {
  for (const char* sign : {"run.json", "config.yaml", "last_checkpoint", "metrics.jsonl"}) {
    TemporaryFolder folder;
    const RunDirectory run(folder.file("run"));
    touch(run.file(sign));
    EXPECT_TRUE(run.holds_run()) << sign;
    EXPECT_EQ(
        error_text(ErrorKind::kConfig, [&] { run.create(false); }),
        run.path() +
            " holds a run already; go on with it by --resume, replace it by --overwrite, or choose another --out");
    EXPECT_TRUE(fs::exists(run.file(sign)));
  }
}

TEST(RunDirectory, OnlyTemporaryFilesAreStale) {
  TemporaryFolder folder;
  const RunDirectory run(folder.file("run"));
  const std::vector<std::string> stale = {"net.pbtxt.tmp-12-0", "checkpoints/step_00000004.safetensors.tmp-31758-5"};
  const std::vector<std::string> kept = {"checkpoints/step_00000004.safetensors", "notes.tmp-1", "a.tmp-1-b",
                                         ".tmp-1-2"};
  for (const std::string& name : stale) touch(run.file(name));
  EXPECT_FALSE(run.holds_weights());
  for (const std::string& name : kept) touch(run.file(name));
  EXPECT_TRUE(run.holds_weights());
  run.remove_stale_temporaries();
  for (const std::string& name : stale) EXPECT_FALSE(fs::exists(run.file(name))) << name;
  for (const std::string& name : kept) EXPECT_TRUE(fs::exists(run.file(name))) << name;
}

TEST(RunDirectory, ItsLockIsOnlyForOneAndLeavesNothing) {
  TemporaryFolder folder;
  const RunDirectory run(folder.file("run"));
  run.make_folder();
  {
    const RunLock lock(run.path());
    EXPECT_EQ(error_text(ErrorKind::kConfig, [&] { const RunLock second(run.path()); }),
              "another training is running in " + run.path() +
                  "; wait until it has ended, or choose another --out (OUTPUT_DIR)");
  }
  const RunLock again(run.path());
  EXPECT_TRUE(fs::is_empty(run.path()));
}

TEST(RunDirectory, OverwritingRemovesOnlyWhatARunWrites) {
  TemporaryFolder folder;
  const RunDirectory run(folder.file("run"));
  const std::vector<std::string> of_the_run = {"run.json",
                                               "config.yaml",
                                               "config.effective.yaml",
                                               "net.pbtxt",
                                               "init_net.pbtxt",
                                               "metrics.jsonl",
                                               "log.txt",
                                               "last_checkpoint",
                                               "checkpoints/step_00000004.safetensors",
                                               "model_final.safetensors",
                                               "model_best.safetensors"};
  const std::vector<std::string> of_the_user = {"notes.txt", "pictures/a.png", "my_model.safetensors"};
  for (const std::string& name : of_the_run) touch(run.file(name));
  for (const std::string& name : of_the_user) touch(run.file(name));
  run.create(true);
  EXPECT_FALSE(run.holds_run());
  for (const std::string& name : of_the_run) EXPECT_FALSE(fs::exists(run.file(name))) << name;
  for (const std::string& name : of_the_user) EXPECT_TRUE(fs::exists(run.file(name))) << name;
  EXPECT_TRUE(fs::is_directory(run.file("checkpoints")));
}

TEST(RunDirectory, AFileInTheWayIsAnError) {
  TemporaryFolder folder;
  touch(folder.file("file"));
  const RunDirectory run(folder.file("file/run"));
  EXPECT_THAT(error_text(ErrorKind::kIo, [&] { run.create(false); }),
              testing::AllOf(testing::HasSubstr("cannot make the run directory " + run.path()),
                             testing::HasSubstr("choose another --out (OUTPUT_DIR)")));
}

TEST(RunDirectory, LastCheckpoint) {
  TemporaryFolder folder;
  const RunDirectory run(folder.file("run"));
  run.create(false);
  EXPECT_FALSE(run.last_checkpoint().has_value());
  const std::string path = run.checkpoint_file(4);
  touch(path);
  run.set_last_checkpoint(path);
  EXPECT_EQ(run.last_checkpoint(), path);

  // The name is relative: a run that was moved goes on.
  const RunDirectory moved(folder.file("moved"));
  fs::rename(run.path(), moved.path());
  EXPECT_EQ(moved.last_checkpoint(), moved.checkpoint_file(4));

  fs::remove(moved.checkpoint_file(4));
  EXPECT_EQ(error_text(ErrorKind::kData, [&] { moved.last_checkpoint(); }),
            moved.file("last_checkpoint") + " names " + moved.checkpoint_file(4) +
                ", which does not exist; write the name of an existing checkpoint into it");
}

}  // namespace
}  // namespace lockstep
