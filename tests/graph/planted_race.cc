// SPDX-License-Identifier: Apache-2.0
// Races on blobs, planted to prove that a ThreadSanitizer build sees them; planted_race_test.py runs this. The kernels
// are compiled without instrumentation, as those of libraries are, so a report can only come from the marks that the
// operator wrapper (graph/operator.cc) sets for inputs and outputs.
//
//     planted_race two_nets   two nets with no edge between them run at once; one writes the blob that the other reads
//     planted_race peek       one dag net; an operator reads, past the graph, the blob that another one writes
//     planted_race edge       the same two kernels as in two_nets, in one net, with the edge between them: no race
//     planted_race unmarked   the same accesses outside of operators: a race that nobody reports
#include <array>
#include <atomic>
#include <cstdio>
#include <string_view>
#include <thread>

#include "graph/test_ops.h"

namespace lockstep {
namespace {

constexpr int kSize = 64;

#define UNINSTRUMENTED __attribute__((noinline, no_sanitize("thread")))

UNINSTRUMENTED void library_write(float* values) {
  for (int i = 0; i < kSize; ++i) values[i] = static_cast<float>(i);
}

UNINSTRUMENTED float library_read(const float* values) {
  float sum = 0;
  for (int i = 0; i < kSize; ++i) sum += values[i];
  return sum;
}

// Holds operators until all that take part are inside their kernels. Relaxed, so that it orders nothing.
std::atomic<int> inside = 0;
int partners = 1;
void meet() {
  inside.fetch_add(1, std::memory_order_relaxed);
  while (inside.load(std::memory_order_relaxed) < partners) std::this_thread::yield();
}

const float* peeked = nullptr;

void write(KernelContext& c) {
  meet();
  library_write(c.output(0).data<float>());
}
void read(KernelContext& c) {
  meet();
  c.output(0).data<float>()[0] = library_read(c.input(0).data<float>());
}
// Instrumented: what the wrapper marks for the writer must meet it.
void peek(KernelContext& c) {
  meet();
  c.output(0).data<float>()[0] = peeked[0];
}

// The outputs are shaped before the threads start, and kOwn keeps the wrapper from touching them: only the marks are
// left to be seen.
OpSchema operation(const std::string& type, void (*kernel)(KernelContext&)) {
  OpSchema schema(type);
  schema.output("Y", "").layouts(LayoutRule::kOwn).cpu(function_kernel(kernel));
  schema.infer([](const InferContext&) { return std::vector<TensorInfo>{{DType::kF32, {1}}}; });
  return schema;
}

struct Race : test::World {
  Race() : World(2) {
    catalog.add(operation("Write", write));
    catalog.add(operation("Read", read).input("X", ""));
    catalog.add(operation("Peek", peek));
    environment.catalog = &catalog;
    workspace.feed("shared", Tensor(DType::kF32, {kSize}));
    workspace.feed("sum", Tensor::scalar(0.0F));
    peeked = workspace.fetch("shared").data<float>();
  }
  static void add(NetBuilder& b, int device, const std::string& type, const std::vector<std::string>& inputs,
                  const std::string& output) {
    const auto scope = b.device_scope({DeviceType::kCpu, device});
    b.add(type, inputs, {output});
  }
  OpCatalog catalog;
};

void two_nets(Race& world) {
  partners = 2;
  NetBuilder writer("writer");
  Race::add(writer, 0, "Write", {}, "shared");
  NetBuilder reader("reader");
  Race::add(reader, 1, "Read", {"shared"}, "sum");
  const std::array nets = {make_net(writer.net(), world.environment), make_net(reader.net(), world.environment)};
  std::thread other([&] { nets[1]->run(); });
  nets[0]->run();
  other.join();
}

void one_net(Race& world, bool with_edge) {
  partners = with_edge ? 1 : 2;
  NetBuilder b("net", "dag");
  Race::add(b, 0, "Write", {}, "shared");
  Race::add(b, 1, with_edge ? "Read" : "Peek",
            with_edge ? std::vector<std::string>{"shared"} : std::vector<std::string>{}, "sum");
  run_net_once(b.net(), world.environment);
}

void unmarked(Race& world) {
  partners = 2;
  float* values = world.workspace.get("shared").tensor().data<float>();
  float sum = 0;
  std::thread other([&] {
    meet();
    sum = library_read(values);
  });
  meet();
  library_write(values);
  other.join();
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  const std::string_view kind = argc == 2 ? argv[1] : "";
  lockstep::Race world;
  if (kind == "two_nets") {
    two_nets(world);
  } else if (kind == "peek" || kind == "edge") {
    one_net(world, kind == "edge");
  } else if (kind == "unmarked") {
    unmarked(world);
  } else {
    std::fprintf(stderr, "usage: planted_race two_nets|peek|edge|unmarked\n");
    return 2;
  }
  std::puts("ran to the end");
  return 0;
}
