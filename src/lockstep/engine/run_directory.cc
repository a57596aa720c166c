// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/run_directory.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "lockstep/base/check.h"
#include "lockstep/io/atomic_file.h"

namespace lockstep {
namespace fs = std::filesystem;

std::string RunDirectory::file(const std::string& name) const { return (fs::path(path_) / name).string(); }

std::string RunDirectory::checkpoint_file(std::int64_t step) const {
  return file(fmt::format("checkpoints/step_{:08}.safetensors", step));
}

bool RunDirectory::holds_run() const {
  std::error_code ignored;
  for (const char* name : {"run.json", "config.yaml", "last_checkpoint", "metrics.jsonl"}) {
    if (fs::exists(file(name), ignored)) return true;
  }
  return false;
}

bool RunDirectory::holds_weights() const {
  std::error_code ignored;
  for (const std::string& folder : {path_, file("checkpoints")}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      if (entry.path().extension() == ".safetensors") return true;
    }
  }
  return false;
}

void RunDirectory::check(bool overwrite) const {
  LS_CHECK(kConfig, overwrite || !holds_run(),
           "{} holds a run already; go on with it by --resume, replace it by --overwrite, or choose another --out",
           path_);
  std::error_code ignored;
  fs::path folder = fs::absolute(path_);
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  LS_CHECK(kIo, fs::is_directory(folder, ignored),
           "cannot make the run directory {}: {} is not a folder; choose another --out (OUTPUT_DIR)", path_,
           folder.string());
  LS_CHECK(kIo, ::access(folder.c_str(), W_OK | X_OK) == 0,
           "cannot write into {} for the run directory {}: {}; choose another --out (OUTPUT_DIR)", folder.string(),
           path_, std::strerror(errno));
}

void RunDirectory::create(bool overwrite) const {
  check(overwrite);
  std::error_code error;
  if (holds_run()) {
    // Only what a run writes is removed: the folder may hold files of the user's.
    for (const char* name :
         {"run.json", "config.yaml", "config.effective.yaml", "net.pbtxt", "init_net.pbtxt", "metrics.jsonl", "log.txt",
          "last_checkpoint", "checkpoints", "model_final.safetensors", "model_best.safetensors"}) {
      fs::remove_all(file(name), error);
    }
  }
  fs::create_directories(file("checkpoints"), error);
  LS_CHECK(kIo, !error, "cannot make the run directory {}: {}; choose another --out (OUTPUT_DIR)", path_,
           error.message());
  const std::string probe = file(".write_test");
  bool good = false;
  {
    std::ofstream out(probe);
    out << "x";
    out.flush();
    good = out.good();
  }
  fs::remove(probe, error);
  LS_CHECK(kIo, good, "cannot write into the run directory {}; choose another --out (OUTPUT_DIR)", path_);
}

void RunDirectory::make_folder() const {
  std::error_code error;
  fs::create_directories(path_, error);
  LS_CHECK(kIo, !error, "cannot make the run directory {}: {}; choose another --out (OUTPUT_DIR)", path_,
           error.message());
}

void RunDirectory::remove_stale_temporaries() const {
  std::error_code ignored;
  for (const std::string& folder : {path_, file("checkpoints")}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      if (is_temporary_name(entry.path())) fs::remove(entry.path(), ignored);
    }
  }
}

std::optional<std::string> RunDirectory::last_checkpoint() const {
  std::ifstream in(file("last_checkpoint"));
  std::string name;
  if (!std::getline(in, name) || name.empty()) return std::nullopt;
  const std::string path = file(name);
  std::error_code ignored;
  LS_CHECK(kData, fs::exists(path, ignored),
           "{} names {}, which does not exist; write the name of an existing checkpoint into it",
           file("last_checkpoint"), path);
  return path;
}

void RunDirectory::set_last_checkpoint(const std::string& path) const {
  write_file_atomically(file("last_checkpoint"), fs::path(path).lexically_relative(path_).string() + "\n");
}

}  // namespace lockstep
