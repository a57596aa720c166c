// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/loader_net.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "engine/error_text.h"
#include "lockstep/backend/cpu/cpu_device.h"
#include "lockstep/engine/data_parallel.h"
#include "lockstep/graph/net.h"
#include "lockstep/graph/print.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A loader for two devices whose record (step, device) is f32 [2, size, size], filled with 2 * step + device.
std::unique_ptr<RoIDataLoader> loader_of(std::int64_t size) {
  LoaderOptions options;
  options.workers = {{0, 1}, {1, 2}};
  options.threads = 2;
  const auto build = [size](std::int64_t step, std::int64_t index) {
    std::vector<Tensor> record;
    record.emplace_back(DType::kF32, Shape{2, size, size});
    std::fill_n(record[0].data<float>(), record[0].size(), static_cast<float>(2 * step + index));
    return record;
  };
  return std::make_unique<RoIDataLoader>(build, std::vector<RecordField>{{"data", DType::kF32, 3}}, options);
}

class LoaderNet : public ::testing::Test {
 protected:
  NetEnvironment environment() {
    NetEnvironment environment;
    environment.catalog = &catalog_;
    environment.workspace = &workspace_;
    environment.devices = {&first_, &second_};
    return environment;
  }

  const OpCatalog catalog_ = full_catalog();
  CpuDevice first_{0}, second_{1};
  Workspace workspace_;
};

TEST_F(LoaderNet, IsADagOfOneDequeueForEachDevice) {
  const auto loader = loader_of(3);
  const NetDef net = get_net(*loader, "dequeue");
  EXPECT_EQ(net.name(), "dequeue");
  EXPECT_EQ(net.type(), "dag");
  ASSERT_EQ(net.op_size(), 2);
  for (int w = 0; w < 2; ++w) {
    const std::string scope = "cpu_" + std::to_string(w) + "/";
    EXPECT_EQ(net.op(w).type(), "DequeueBlobs");
    EXPECT_EQ(net.op(w).input(0), scope + loader->queue_name());
    EXPECT_EQ(net.op(w).output(0), scope + "data");
    EXPECT_EQ(net.op(w).device_option().index(), w);
  }
  EXPECT_EQ(loader->get_output_names(), std::vector<std::string>{"data"});
}

// Each net returns the data of its own loader, on its own devices, in order.
TEST_F(LoaderNet, TwoLoadersLiveSideBySide) {
  const auto three = loader_of(3), four = loader_of(4);
  EXPECT_NE(three->queue_name(), four->queue_name());
  connect_loader(workspace_, *three);
  connect_loader(workspace_, *four);
  const auto net_of_three = make_net(get_net(*three, "three"), environment());
  const auto net_of_four = make_net(get_net(*four, "four"), environment());
  three->start(0, Prefill::kOne);
  four->start(100, Prefill::kOne);
  const auto expect_record = [&](std::int64_t size, float first) {
    for (int w = 0; w < 2; ++w) {
      const Tensor& data = workspace_.fetch("cpu_" + std::to_string(w) + "/data");
      EXPECT_EQ(data.shape(), (Shape{2, size, size}));
      EXPECT_EQ(data.data<float>()[0], first + static_cast<float>(w));
    }
  };
  for (int round = 0; round < 5; ++round) {
    net_of_three->run();
    expect_record(3, static_cast<float>(2 * round));
    net_of_four->run();
    expect_record(4, static_cast<float>(200 + 2 * round));
  }
  three->shutdown();
  four->shutdown();
}

TEST_F(LoaderNet, RunOnceAtATimeItReturnsOneRecordAfterAnother) {
  const auto loader = loader_of(3);
  connect_loader(workspace_, *loader);
  loader->start(0, Prefill::kFull);
  for (int round = 0; round < 5; ++round) {
    run_net_once(get_net(*loader, "dequeue"), environment());
    EXPECT_EQ(workspace_.fetch("cpu_1/data").data<float>()[0], static_cast<float>(2 * round + 1));
  }
}

TEST_F(LoaderNet, AfterAShutdownItEmptiesTheQueueAndThenFails) {
  const auto loader = loader_of(3);
  connect_loader(workspace_, *loader);
  const auto net = make_net(get_net(*loader, "dequeue"), environment());
  loader->start(0, Prefill::kFull);
  loader->shutdown();
  const std::string text = error_text(ErrorKind::kData, [&] {
    for (;;) net->run();
  });
  EXPECT_THAT(text, AllOf(HasSubstr("the data queue was closed"), HasSubstr("dequeue")));
}

// The queues outlive a loader that is gone before the workspace.
TEST_F(LoaderNet, TheWorkspaceMayOutliveTheLoader) {
  auto loader = loader_of(3);
  connect_loader(workspace_, *loader);
  const auto net = make_net(get_net(*loader, "dequeue"), environment());
  loader->start(0, Prefill::kFull);
  loader.reset();
  net->run();
  EXPECT_EQ(workspace_.fetch("cpu_0/data").data<float>()[0], 0);
}

// As the training nets are built before any data set is read: nets with their dequeue ops, and no loader.
TEST_F(LoaderNet, WithoutALoaderTheNetIsBuiltAndCannotRun) {
  NetDef net;
  net.set_name("no_data_yet");
  *net.add_op() = dequeue_op({DeviceType::kCpu, 0}, "roi_blobs_queue", {{"data", DType::kF32, 4}});
  net.add_external_input("cpu_0/roi_blobs_queue");
  workspace_.create("cpu_0/roi_blobs_queue");
  const auto made = make_net(net, environment());
  EXPECT_THAT(error_text(ErrorKind::kGraph, [&] { made->run(); }), HasSubstr("the loader has to be attached"));
}

}  // namespace
}  // namespace lockstep
