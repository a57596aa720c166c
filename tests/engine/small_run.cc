// SPDX-License-Identifier: Apache-2.0
#include "engine/small_run.h"

#include <unistd.h>

#include <cstdlib>

#include "lockstep/config/load.h"
#include "lockstep/data/synth.h"

namespace lockstep {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "lockstep_test_XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}
TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(path_); }

Config small_recipe(const std::string& output_dir) {
  static const TemporaryFolder data;
  static const bool written = (write_synthetic_dataset(data.file("synth"), 20, 7), true);
  static_cast<void>(written);
  const std::string spec = "coco:" + data.file("synth/instances_train.json") + ":" + data.file("synth/images");
  const std::string test = "coco:" + data.file("synth/instances_val.json") + ":" + data.file("synth/images");
  return load_config((std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "configs/base/faster_rcnn_r18_gn_fpn.yaml").string(),
                     {"DATASETS.TRAIN",
                      spec,
                      "DATASETS.TEST",
                      test,
                      "OUTPUT_DIR",
                      output_dir,
                      "MODEL.RESNETS.RES2_OUT_CHANNELS",
                      "8",
                      "MODEL.RESNETS.STEM_OUT_CHANNELS",
                      "8",
                      "MODEL.GN_NUM_GROUPS",
                      "4",
                      "MODEL.FPN.OUT_CHANNELS",
                      "8",
                      "MODEL.ROI_BOX_HEAD.FC_DIM",
                      "16",
                      "MODEL.ROI_HEADS.BATCH_SIZE_PER_IMAGE",
                      "16",
                      "MODEL.RPN.BATCH_SIZE_PER_IMAGE",
                      "32",
                      "MODEL.RPN.PRE_NMS_TOPK_TRAIN",
                      "100",
                      "MODEL.RPN.POST_NMS_TOPK_TRAIN",
                      "50",
                      "INPUT.MIN_SIZE_TRAIN",
                      "(64, 96)",
                      "INPUT.MAX_SIZE_TRAIN",
                      "128",
                      "INPUT.MIN_SIZE_TEST",
                      "64",
                      "SOLVER.IMS_PER_BATCH",
                      "4",
                      "SOLVER.MAX_ITER",
                      "4",
                      "SOLVER.STEPS",
                      "()",
                      "SOLVER.WARMUP_ITERS",
                      "0",
                      "SOLVER.BASE_LR",
                      "0.02",
                      "SOLVER.CHECKPOINT_PERIOD",
                      "0",
                      "DATALOADER.NUM_WORKERS",
                      "2",
                      "SOLVER.CPU_ISA",  // other tests of the process have fixed the instruction set already
                      ""});
}

}  // namespace lockstep
