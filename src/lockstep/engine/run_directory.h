// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep {

// The folder of one training run (docs/run-directory.md lists its files).
class RunDirectory {
 public:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const;       // "<path>/<name>"
  std::string checkpoint_file(std::int64_t step) const;  // "<path>/checkpoints/step_00005000.safetensors"

  bool holds_run() const;      // config.yaml, run.json or a checkpoint is there
  bool holds_weights() const;  // a checkpoint or a model is there, also one that last_checkpoint does not name
  // Whether create() would succeed, without writing anything. kConfig when a run is there already and `overwrite` is
  // false (names --resume and --overwrite); kIo when the folder could not be made or written.
  void check(bool overwrite) const;
  // Makes the folders, without what an earlier run left, and proves that a file can be written there. Throws as
  // check(), which comes first.
  void create(bool overwrite) const;

  // Makes the folder itself, which RunLock needs. kIo when it cannot.
  void make_folder() const;
  // Removes the temporary files of a run that was killed while it wrote. Only for the holder of the RunLock.
  void remove_stale_temporaries() const;

  // The path in last_checkpoint, relative to the folder; nothing when there is no checkpoint. kData when the file
  // it names is gone.
  std::optional<std::string> last_checkpoint() const;
  void set_last_checkpoint(const std::string& file) const;  // atomically

 private:
  std::string path_;
};

}  // namespace lockstep
