// SPDX-License-Identifier: Apache-2.0
#include "graph/random_nets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <set>
#include <thread>

#include "graph/test_ops.h"
#include "lockstep/graph/arena.h"
#include "lockstep/graph/gradient.h"
#include "lockstep/graph/liveness.h"

namespace lockstep::test {
namespace {

// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): unlike the distributions of <random> the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
  int between(int lowest, int highest) { return lowest + below(highest - lowest + 1); }
  bool one_in(int count) { return below(count) == 0; }
  double number() { return static_cast<double>(below(2001) - 1000) / 512.0; }

 private:
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

class NetDrawer {
 public:
  explicit NetDrawer(std::uint64_t seed) : random_(seed), builder_("random") {
    if (random_.one_in(8)) drawn_.size = kBorrowedSize;
    drawn_.devices = random_.between(1, 4);
    blobs_ = random_.between(3, 12);
    with_fuses_ = random_.one_in(3);
  }

  RandomNet draw() {
    if (random_.one_in(5)) {
      draw_with_gradients();
    } else {
      for (int motifs = random_.between(2, 12); motifs > 0; --motifs) add_motif();
    }
    drawn_.net = builder_.net();
    return drawn_;
  }

 private:
  std::string blob() { return "b" + std::to_string(random_.below(blobs_)); }
  std::string other_than(const std::string& taken) {
    std::string name = blob();
    while (name == taken) name = blob();
    return name;
  }

  OperatorDef& add(const std::string& type, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs, const std::vector<Argument>& args = {}) {
    const auto device = builder_.device_scope({DeviceType::kCpu, random_.below(drawn_.devices)});
    OperatorDef& op = builder_.add(type, inputs, outputs, args, fmt::format("op{}", builder_.net().op_size()));
    if (random_.one_in(8)) op.add_control_input(known());
    if (random_.one_in(4)) op.set_priority(random_.between(-2, 2));
    return op;
  }

  // A blob that the net knows already: control inputs are checked like inputs.
  std::string known() {
    const NetDef& net = builder_.net();
    std::vector<std::string> names(net.external_input().begin(), net.external_input().end());
    for (int k = 0; k + 1 < net.op_size(); ++k) {
      names.insert(names.end(), net.op(k).output().begin(), net.op(k).output().end());
    }
    if (names.empty()) {
      builder_.net().add_external_input("b0");
      return "b0";
    }
    return names[static_cast<std::size_t>(random_.below(static_cast<int>(names.size())))];
  }

  void add_motif() {
    switch (random_.below(with_fuses_ ? 9 : 8)) {
      case 0: return add_chain();
      case 1: return add_fan_out();
      case 2: return add_fan_in();
      case 3: return add_accumulation();
      case 4: return add_pair();
      case 5:
        add("ConstantFill", {}, {blob()},
            {arg("shape", std::vector<std::int64_t>{drawn_.size}), arg("value", random_.number())});
        return;
      case 6: {
        const std::string first = blob();
        if (random_.one_in(2)) {
          add("Add", {first, other_than(first)}, {first});
        } else {
          add("Add", {first, random_.one_in(4) ? first : blob()}, {unread()});
        }
        return;
      }
      case 7: {
        const std::string in = blob();
        add("SinCos", {in}, {other_than(in), "z" + std::to_string(random_.below(2))});
        return;
      }
      default: add_fuse(); return;
    }
  }

  // A blob that no operator reads: what follows can only overwrite it.
  std::string unread() { return "y" + std::to_string(random_.below(3)); }

  void add_unary(const std::string& in, const std::string& out) {
    switch (random_.below(3)) {
      case 0: add("Sin", {in}, {out}); return;
      case 1: add("Tanh", {in}, {out}); return;
      default: add("Scale", {in}, {out}, {arg("scale", random_.number())}); return;
    }
  }

  void add_chain() {
    std::string at = blob();
    for (int links = random_.between(1, 6); links > 0; --links) {
      const std::string to = random_.one_in(2) ? at : blob();
      add_unary(at, to);
      at = to;
    }
  }

  // Many readers of one blob, which is then overwritten: nobody may see the new value.
  void add_fan_out() {
    const std::string source = blob();
    for (int readers = random_.between(2, 6); readers > 0; --readers) add_unary(source, other_than(source));
    if (random_.one_in(2)) {
      add_unary(source, source);
    } else {
      add_unary(other_than(source), source);
    }
  }

  void add_fan_in() {
    std::set<std::string> parts;
    for (int n = random_.between(2, 8); n > 0; --n) parts.insert(blob());
    const std::vector<std::string> inputs(parts.begin(), parts.end());
    add("Sum", inputs, {random_.one_in(2) ? inputs[0] : unread()});
  }

  // The order of these additions decides the bits.
  void add_accumulation() {
    const std::string total = blob();
    for (int terms = random_.between(2, 8); terms > 0; --terms) add("Add", {total, other_than(total)}, {total});
  }

  void add_pair() {
    const std::string first = blob();
    add("Mul", {first, other_than(first)}, {random_.one_in(2) ? first : unread()});
  }

  void add_fuse() {
    const std::string in = blob();
    add("FailIf", {in, "fuse" + std::to_string(drawn_.fuses++)}, {random_.one_in(2) ? in : other_than(in)});
  }

  // Blobs are written once here: a gradient may need any value of the forward pass.
  void draw_with_gradients() {
    std::vector<std::string> values = {"b0", "b1"};
    const auto any = [&] { return values[static_cast<std::size_t>(random_.below(static_cast<int>(values.size())))]; };
    const auto device = builder_.device_scope({DeviceType::kCpu, 0});
    for (int k = random_.between(3, 20); k > 0; --k) {
      const std::string name = "v" + std::to_string(values.size());
      const std::string last = values.back();  // always read, so that the loss depends on everything before
      switch (values.size() == 2 ? 1 : random_.below(4)) {
        case 0: builder_.add("Sin", {last}, {name}); break;
        case 1: builder_.add("Mul", {last, values.size() == 2 ? "b0" : any()}, {name}); break;
        case 2: builder_.add("Sum", {last, any(), any()}, {name}); break;
        default: builder_.add("Tanh", {last}, {name}); break;
      }
      values.push_back(name);
    }
    builder_.add("Total", {values.back()}, {"loss"});
    add_gradient_operators(builder_.net(), catalog(), {{"loss", ""}}, {"b0", "b1"});
    // Anywhere, as long as the dag allows it.
    for (OperatorDef& op : *builder_.net().mutable_op()) {
      op.mutable_device_option()->set_index(random_.below(drawn_.devices));
    }
  }

  // Enough for an arena: smaller blobs keep memory of their own.
  static constexpr std::int64_t kBorrowedSize = Arena::kSmallest / sizeof(float) + 1;
  Random random_;
  NetBuilder builder_;
  RandomNet drawn_;
  int blobs_ = 0;
  bool with_fuses_ = false;
};

constexpr int kMostBlobs = 12;

// Pauses of up to 20 microseconds, drawn per thread, after every operator.
void pause(const OperatorDef&, double) {
  thread_local Random random(std::hash<std::thread::id>()(std::this_thread::get_id()));
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(random.below(20));
  while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

void feed_all(World& world, const RandomNet& drawn, std::uint64_t seed, bool blow) {
  Random random(seed);
  const auto vector = [&] {
    std::vector<double> values;
    for (std::int64_t i = 0; i < drawn.size; ++i) values.push_back(random.number());
    return values;
  };
  for (int i = 0; i < kMostBlobs; ++i) world.feed("b" + std::to_string(i), vector());
  for (int i = 0; i < 3; ++i) world.feed("y" + std::to_string(i), vector());
  for (int i = 0; i < 2; ++i) world.feed("z" + std::to_string(i), vector());
  for (int i = 0; i < drawn.fuses; ++i) world.feed("fuse" + std::to_string(i), {blow && random.one_in(2) ? 1.0 : 0.0});
}

// The name of a blob that is not the same in both, bit for bit; empty when all are. `temporaries` are left out.
std::string difference(const Workspace& one, const Workspace& other, const std::set<std::string>& temporaries) {
  for (const std::string& name : one.names()) {
    if (temporaries.contains(name)) continue;
    const Tensor& a = one.fetch(name);
    const Tensor& b = other.fetch(name);
    if (a.describe() != b.describe() || std::memcmp(a.raw(), b.raw(), a.bytes()) != 0) return name;
  }
  return "";
}

struct Variant {
  int lanes_per_device;
  bool shared_lanes;
  bool pauses;
};
constexpr Variant kVariants[] = {{1, false, false}, {1, true, true}, {2, true, false}, {3, false, true}};

// Empty, or what went wrong.
std::string compare(const RandomNet& drawn, std::uint64_t seed, const Variant& variant) {
  World simple(drawn.devices);
  World dag(drawn.devices);
  LanePool lanes(drawn.devices * variant.lanes_per_device);
  if (variant.shared_lanes) dag.environment.lanes = &lanes;
  dag.environment.lanes_per_device = variant.lanes_per_device;
  if (variant.pauses) dag.environment.on_op = pause;
  std::vector<std::unique_ptr<Arena>> arenas;
  std::set<std::string> temporaries;
  if (drawn.size * sizeof(float) > Arena::kSmallest) {
    for (int d = 0; d < drawn.devices; ++d) {
      arenas.push_back(std::make_unique<Arena>());
      arenas.back()->poison(0xFF);  // NaN: what is read before it is written, or after it was given back, shows
      dag.environment.arenas.push_back(arenas.back().get());
    }
    for (const Temporary& temporary : find_temporaries(drawn.net)) temporaries.insert(temporary.name);
  }
  NetDef parallel = drawn.net;
  parallel.set_type("dag");
  feed_all(simple, drawn, seed, true);
  feed_all(dag, drawn, seed, true);
  const auto in_order = make_net(drawn.net, simple.environment);
  const auto at_once = make_net(parallel, dag.environment);
  if (drawn.fuses > 0) {
    const std::string wanted = error_of([&] { in_order->run(); });
    const std::string found = error_of([&] { at_once->run(); });
    if (wanted != found) return fmt::format("simple fails with\n{}\nand dag with\n{}\n", wanted, found);
  }
  feed_all(simple, drawn, seed, false);
  feed_all(dag, drawn, seed, false);
  for (int run = 1; run <= 2; ++run) {
    in_order->run();
    at_once->run();
    const std::string blob = difference(simple.workspace, dag.workspace, temporaries);
    if (!blob.empty()) return fmt::format("blob '{}' differs after run {}", blob, run);
  }
  return "";
}

}  // namespace

RandomNet random_net(std::uint64_t seed) { return NetDrawer(seed).draw(); }

void expect_dag_equals_simple(std::uint64_t first_seed, int count) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(count); ++seed) {
    const RandomNet drawn = random_net(seed);
    for (const Variant& variant : kVariants) {
      const std::string problem = compare(drawn, seed, variant);
      ASSERT_EQ(problem, "") << "net of seed " << seed << " on " << drawn.devices << " devices with "
                             << variant.lanes_per_device << (variant.shared_lanes ? " shared" : " own") << " lanes each"
                             << (variant.pauses ? " and pauses" : "") << "; alone again: LOCKSTEP_STRESS_SEED=" << seed
                             << " LOCKSTEP_STRESS_NETS=1 dag_stress\n"
                             << ops_text(drawn.net);
    }
  }
}

}  // namespace lockstep::test
