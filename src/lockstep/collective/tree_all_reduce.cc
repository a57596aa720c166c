// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lockstep/base/check.h"
#include "lockstep/collective/all_reduce.h"

namespace lockstep {
namespace {

// A tensor on its way: the blob that holds what worker `share` has so far.
struct Holder {
  const ReduceShare* share = nullptr;
  std::string blob;
};

class TreeBuilder {
 public:
  TreeBuilder(NetBuilder& net, const AllReduce& all_reduce) : net_(net), all_reduce_(all_reduce) {
    for (const ReduceShare& share : all_reduce.shares) holders_.push_back({&share, share.nodes[0]});
  }

  // Brings workers that can read each other's memory together, in the order of the first of each group.
  void group(const PeerAccess& can_read) {
    std::vector<Holder> left = std::move(holders_);
    holders_.clear();
    while (!left.empty()) {
      std::vector<Holder> group = {left.front()};
      for (std::size_t i = 1; i < left.size(); ++i) {
        const auto readable = [&](const Holder& member) {
          return can_read(member.share->device, left[i].share->device) &&
                 can_read(left[i].share->device, member.share->device);
        };
        if (std::all_of(group.begin(), group.end(), readable)) group.push_back(left[i]);
      }
      std::erase_if(left, [&](const Holder& one) {
        return std::any_of(group.begin(), group.end(), [&](const Holder& in) { return in.share == one.share; });
      });
      holders_.insert(holders_.end(), group.begin(), group.end());
      groups_.push_back(static_cast<int>(group.size()));
    }
  }

  // Whether the workers split into `count` blocks of `size` whose members can all read each other.
  bool has_blocks(int count, int size) const {
    if (static_cast<int>(holders_.size()) != count * size) return false;
    int covered = 0;
    for (const int group : groups_) {
      if (group % size != 0) return false;
      covered += group;
    }
    return covered == count * size;
  }
  std::size_t workers() const { return holders_.size(); }

  // A worker that ran several micro-batches adds its own nodes first, from left to right.
  void add_own_nodes() {
    for (Holder& holder : holders_) {
      if (holder.share->nodes.size() == 1) continue;
      const auto device = net_.device_scope(holder.share->device);
      net_.add("Sum", holder.share->nodes, {holder.share->sum}, {}, name("own", holder));
      holder.blob = holder.share->sum;
    }
  }

  // Worker `to` adds what worker `from` has to its own.
  void add(int to, int from) { add_blob(to, at(from).blob); }

  // The same where `to` cannot read the memory of `from`: over a copy on its own device.
  void add_copy(int to, int from) {
    const std::string copy = at(to).share->sum + "_from_" + std::to_string(from);
    {
      const auto device = net_.device_scope(at(to).share->device);
      net_.add("Copy", {at(from).blob}, {copy}, {}, name("fetch", at(from)));
    }
    add_blob(to, copy);
  }

  // Worker `to` takes the sum of worker `from`.
  void copy(int to, int from) {
    Holder& holder = at(to);
    const auto device = net_.device_scope(holder.share->device);
    net_.add("Copy", {at(from).blob}, {holder.share->sum}, {}, name("copy", holder));
    holder.blob = holder.share->sum;
  }

  // One worker alone: nothing to add.
  void keep() {
    if (at(0).blob != at(0).share->sum) copy(0, 0);
  }

 private:
  Holder& at(int i) { return holders_[static_cast<std::size_t>(i)]; }

  void add_blob(int to, const std::string& blob) {
    Holder& holder = at(to);
    const auto device = net_.device_scope(holder.share->device);
    net_.add("Add", {holder.blob, blob}, {holder.share->sum}, {}, name("add", holder));
    holder.blob = holder.share->sum;
  }

  std::string name(const char* what, const Holder& holder) {
    return fmt::format("{}_{}_{}_{}", all_reduce_.name, what, holder.share - all_reduce_.shares.data(), next_++);
  }

  NetBuilder& net_;
  const AllReduce& all_reduce_;
  std::vector<Holder> holders_;
  std::vector<int> groups_;  // sizes, in the order of holders_
  int next_ = 0;
};

void reduce_2(TreeBuilder& tree) {
  tree.add(0, 1);
  tree.copy(1, 0);
}

// `join` adds over the border of two groups: TreeBuilder::add where there is none.
using Join = void (TreeBuilder::*)(int to, int from);
constexpr Join kRead = &TreeBuilder::add;
constexpr Join kFetch = &TreeBuilder::add_copy;

void reduce_4(TreeBuilder& tree, Join join) {
  tree.add(0, 1);
  tree.add(2, 3);
  (tree.*join)(0, 2);
  tree.copy(2, 0);
  tree.copy(1, 0);
  tree.copy(3, 2);
}

// Always fetches over the border: eight devices are two groups of four at best (Caffe2's muji).
void reduce_8(TreeBuilder& tree) {
  for (const int i : {0, 2, 4, 6}) tree.add(i, i + 1);
  tree.add(0, 2);
  tree.add(4, 6);
  tree.add_copy(0, 4);
  tree.copy(4, 0);
  tree.copy(2, 0);
  tree.copy(6, 4);
  for (const int i : {0, 2, 4, 6}) tree.copy(i + 1, i);
}

void reduce_through_first(TreeBuilder& tree) {
  for (int i = 1; i < static_cast<int>(tree.workers()); ++i) tree.add_copy(0, i);
  for (int i = 1; i < static_cast<int>(tree.workers()); ++i) tree.copy(i, 0);
}

}  // namespace

bool shares_memory(const DeviceId& reader, const DeviceId& owner) {
  return reader == owner || (reader.type == DeviceType::kCpu && owner.type == DeviceType::kCpu);
}

void add_tree_all_reduce(NetBuilder& net, const AllReduce& all_reduce) {
  add_tree_all_reduce(net, all_reduce, shares_memory);
}

void add_tree_all_reduce(NetBuilder& net, const AllReduce& all_reduce, const PeerAccess& can_read) {
  require_matching_shares(all_reduce);
  TreeBuilder tree(net, all_reduce);
  tree.group(can_read);
  tree.add_own_nodes();
  if (tree.workers() == 1) {
    tree.keep();
  } else if (tree.has_blocks(1, 2)) {
    reduce_2(tree);
  } else if (tree.has_blocks(1, 4)) {
    reduce_4(tree, kRead);
  } else if (tree.has_blocks(2, 2)) {
    reduce_4(tree, kFetch);
  } else if (tree.has_blocks(2, 4)) {
    reduce_8(tree);
  } else {
    reduce_through_first(tree);
  }
}

}  // namespace lockstep
