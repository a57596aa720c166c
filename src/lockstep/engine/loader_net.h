// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lockstep/data/roi_data_loader.h"
#include "lockstep/graph/net.h"
#include "lockstep/graph/workspace.h"

namespace lockstep {

// A DequeueBlobs on one device: "<scope>/<queue_name>" into "<scope>/<field>" for each field.
OperatorDef dequeue_op(const DeviceId& device, const std::string& queue_name, const std::vector<RecordField>& fields);

// The dag net `name` that takes one record for every worker of the loader: worker w is device cpu:w. It runs in a
// workspace that knows the loader's queues.
NetDef get_net(const RoIDataLoader& loader, const std::string& name);

// Puts each queue of the loader into its blob, "cpu_<w>/<queue_name>".
void connect_loader(Workspace& workspace, const RoIDataLoader& loader);

}  // namespace lockstep
