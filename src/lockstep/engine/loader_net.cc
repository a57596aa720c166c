// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/loader_net.h"

#include "lockstep/graph/net_builder.h"

namespace lockstep {

OperatorDef dequeue_op(const DeviceId& device, const std::string& queue_name, const std::vector<RecordField>& fields) {
  const std::string prefix = device_scope(device) + "/";
  OperatorDef op;
  op.set_type("DequeueBlobs");
  op.set_name(prefix + "dequeue");
  op.add_input(prefix + queue_name);
  std::vector<std::string> dtypes;
  std::vector<std::int64_t> ranks;
  for (const RecordField& field : fields) {
    op.add_output(prefix + field.name);
    dtypes.emplace_back(to_string(field.dtype));
    ranks.push_back(field.rank);
  }
  *op.add_arg() = arg("dtypes", dtypes);
  *op.add_arg() = arg("ranks", ranks);
  op.mutable_device_option()->set_type("cpu");
  op.mutable_device_option()->set_index(device.index);
  return op;
}

NetDef get_net(const RoIDataLoader& loader, const std::string& name) {
  NetDef net;
  net.set_name(name);
  net.set_type("dag");
  for (std::size_t w = 0; w < loader.workers(); ++w) {
    const DeviceId device{DeviceType::kCpu, static_cast<int>(w)};
    *net.add_op() = dequeue_op(device, loader.queue_name(), loader.fields());
    net.add_external_input(net.op(static_cast<int>(w)).input(0));
  }
  return net;
}

void connect_loader(Workspace& workspace, const RoIDataLoader& loader) {
  for (std::size_t w = 0; w < loader.workers(); ++w) {
    const std::string scope = device_scope({DeviceType::kCpu, static_cast<int>(w)});
    workspace.create(scope + "/" + loader.queue_name()).set_object(loader.queue(w));
  }
}

}  // namespace lockstep
