// SPDX-License-Identifier: Apache-2.0
// Training over several processes. Skipped where there is no mpirun or the build has no MPI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "apps/tiny_world.h"

namespace lockstep::test {
namespace {

class Processes : public TinyWorld {
 protected:
  void SetUp() override {
#ifndef LOCKSTEP_HAS_MPI
    GTEST_SKIP() << "built without MPI";
#endif
    if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
    TinyWorld::SetUp();
  }
  // Runs a shell command in the world's folder; output into `log`.
  int run(const std::string& command) const {
    const std::string line = "cd '" + folder_.string() +
                             "' && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 && timeout 60 "
                             "mpirun --oversubscribe " +
                             command + " > log 2>&1";
    return WEXITSTATUS(std::system(line.c_str()));
  }
  std::string digest(const std::string& run) const { return lockstep({"weights", "inspect", run, "--digest"}).out; }
};

constexpr const char* kTrain = LOCKSTEP_PROGRAM " train --config-file tiny.yaml DATALOADER.NUM_WORKERS 1 --out ";

TEST_F(Processes, GiveTheBitsOfOne) {
  ASSERT_EQ(train({"DATALOADER.NUM_WORKERS", "1", "--workers", "1"}).exit_code, 0);
  const std::string alone = digest("run");
  for (const char* shape : {"2 2", "2 4", "3 3", "3 4"}) {
    const std::string processes(1, shape[0]), workers(1, shape[2]);
    ASSERT_EQ(run("-n " + processes + " " + kTrain + "p" + processes + workers + " --workers " + workers), 0)
        << read("log");
    EXPECT_EQ(digest("p" + processes + workers), alone) << shape;
  }
}

TEST_F(Processes, ThatDifferAreRefused) {
  EXPECT_NE(run("-n 1 " + std::string(kTrain) + "a --threads 1 : -n 1 " + kTrain + "a --threads 2"), 0);
  EXPECT_THAT(read("log"), testing::HasSubstr("rank 1 has threads 2 instead of 1"));
  // Unpinned: SOLVER.CPU_ISA would make the ranks agree.
  const std::string unpinned = std::string(kTrain) + "b SOLVER.CPU_ISA \"''\"";
  EXPECT_NE(run("-n 1 " + unpinned + " : -n 1 env ONEDNN_MAX_CPU_ISA=SSE41 " + unpinned), 0);
  EXPECT_THAT(read("log"), testing::HasSubstr("rank 1 has instruction set sse41 instead of "));
}

}  // namespace
}  // namespace lockstep::test
