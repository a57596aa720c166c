// SPDX-License-Identifier: Apache-2.0
#pragma once

// For programs: how to train over several processes (TrainerOptions::processes).
#include "lockstep/collective/process_group.h"
