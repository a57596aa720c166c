// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/atomic_file.h"

#include <sys/resource.h>

#include <csignal>
#include <stdexcept>

#include "io/io_test_support.h"

namespace lockstep {
namespace {

using AtomicFileTest = FolderTest;

TEST_F(AtomicFileTest, ReplacesContentsAndLeavesNoOtherFile) {
  write_file_atomically(file("a"), "one");
  write_file_atomically(file("a"), std::string("two\0three", 9));
  EXPECT_EQ(read_all(file("a")), std::string("two\0three", 9));
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, DroppedBeforeCommitKeepsTheOldFile) {
  write_file_atomically(file("a"), "old");
  try {
    AtomicFile half(file("a"));
    half.write("new");
    throw std::runtime_error("the writer fails");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(read_all(file("a")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, FullDiskKeepsTheOldFile) {
  write_file_atomically(file("a"), "old");
  // A file size limit stands in for a full disk: write() fails half way.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit tight = before;
  tight.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  expect_error(ErrorKind::kIo, "cannot write '" + file("a").string() + "': File too large; an earlier file",
               [&] { write_file_atomically(file("a"), std::string(5000, 'x')); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read_all(file("a")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFileTest, NamesPathAndCause) {
  expect_error(ErrorKind::kIo, "absent/a': No such file or directory",
               [&] { write_file_atomically(file("absent/a"), "x"); });
  std::filesystem::create_directory(file("d"));
  expect_error(ErrorKind::kIo, "in place of '" + file("d").string() + "': Is a directory",
               [&] { write_file_atomically(file("d"), "x"); });
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace lockstep
