// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

// How many processes the launcher (mpirun, srun) has started, by what it leaves in the environment; 0 when there is
// none.
int launched_ranks();

}  // namespace lockstep
