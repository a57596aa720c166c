// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/launched_ranks.h"

#include <cstdlib>
#include <initializer_list>

namespace lockstep {

int launched_ranks() {
  // OpenMPI's mpirun; MPICH's and srun --mpi=pmi2; srun --mpi=pmix sets PMIX_RANK and the step's number of tasks.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (std::getenv("PMIX_RANK") != nullptr) return tasks != nullptr ? std::atoi(tasks) : 1;
  return 0;
}

}  // namespace lockstep
