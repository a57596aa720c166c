// SPDX-License-Identifier: Apache-2.0
#include "lockstep/graph/gradient.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"
#include "lockstep/graph/net_builder.h"
#include "lockstep/graph/operator.h"
#include "lockstep/graph/versions.h"

namespace lockstep {
namespace {

// Rules see these marks instead of real names, so that a gradient and the blob that it may overwrite, or the two
// versions of a blob that an operator works on in place, cannot be confused.
constexpr char kGradientMark = '\1';     // in front of the index of an output: the gradient of that output
constexpr char kOverwrittenMark = '\2';  // in front of an input that the operator itself overwrites

std::string op_text(const OperatorDef& op) { return fmt::format("{} '{}'", op.type(), op.name()); }

std::string autosplit_name(const std::string& name, int n) {
  const std::size_t slash = name.rfind('/');
  const std::size_t base = slash == std::string::npos ? 0 : slash + 1;
  return fmt::format("{}_{}_autosplit_{}", name.substr(0, base), name.substr(base), n);
}

struct Contribution {
  std::string name;
  DeviceOption device;
  const OperatorDef* from = nullptr;  // the forward operator whose rule gave it; null for the seed of a loss
  bool own = false;                   // written for this blob alone, so that a sum may overwrite it
};

class GradientPass {
 public:
  GradientPass(const NetDef& net, const OpCatalog& catalog, const std::set<std::string>& trainable)
      : forward_(net), net_(net), catalog_(catalog), trainable_(trainable), versions_(net) {
    for (const auto& [name, version] : versions_.last) taken_.insert(name);
    for (const std::string& name : net.external_output()) taken_.insert(name);
    for (const std::string& name : trainable) {
      const auto first = versions_.first.find(name);
      if (first != versions_.first.end()) wanted_.insert({name, first->second});
    }
    needed_ = wanted_;
    for (int k = 0; k < forward_.op_size(); ++k) {
      const auto& op = versions_.ops[static_cast<std::size_t>(k)];
      const bool reaches = std::any_of(op.inputs.begin(), op.inputs.end(), [&](const auto& v) { return needs(v); });
      if (reaches && catalog_.find(forward_.op(k).type()).has_gradient()) {
        needed_.insert(op.outputs.begin(), op.outputs.end());
      }
    }
  }

  void seed(const std::string& loss, const std::string& given) {
    const auto last = versions_.last.find(loss);
    LS_CHECK(kGraph, last != versions_.last.end(), "loss '{}' is not a blob of net '{}'", loss, net_.name());
    const BlobVersion version{loss, last->second};
    const auto producer = versions_.producer.find(version);
    const OperatorDef* op = producer == versions_.producer.end() ? nullptr : &forward_.op(producer->second);
    if (!needs(version)) {
      std::string why;
      if (op != nullptr && !catalog_.find(op->type()).has_gradient()) {
        why = fmt::format("; {} has no gradient: {}", op_text(*op), catalog_.find(op->type()).no_gradient_reason());
      }
      LS_THROW(kGraph, "loss '{}' of net '{}' reaches no trainable blob{}", loss, net_.name(), why);
    }
    Contribution seed;
    if (op != nullptr) seed.device = op->device_option();
    seed.name = given;
    if (given.empty()) {
      seed.name = unique_name(loss + "_grad");
      OperatorDef& fill = append("ConstantFill", {}, seed.name, seed.device);
      *fill.add_arg() = arg("shape", std::vector<std::int64_t>{1});
      *fill.add_arg() = arg("value", 1.0);
    } else if (!versions_.last.contains(given)) {
      taken_.insert(given);
      const auto& external = net_.external_input();
      if (std::find(external.begin(), external.end(), given) == external.end()) net_.add_external_input(given);
    }
    ++holders_[seed.name];  // never released: a seed is not overwritten
    contribute(version, std::move(seed));
  }

  void backward() {
    for (int k = forward_.op_size() - 1; k >= 0; --k) {
      differentiate(k);
      for (const BlobVersion& input : versions_.ops[static_cast<std::size_t>(k)].inputs) {
        if (versions_.first_consumer.at(input) == k) accumulate(input);
      }
    }
  }

  std::map<std::string, std::string> result() const {
    std::vector<std::string> missing;
    for (const std::string& name : trainable_) {
      const auto first = versions_.first.find(name);
      if (first == versions_.first.end() || !contributions_.contains({name, first->second})) missing.push_back(name);
    }
    LS_CHECK(kGraph, missing.empty(),
             "no loss of net '{}' reaches trainable blob{} {}; take {} out of the trainable blobs or connect {}",
             net_.name(), missing.size() > 1 ? "s" : "", join_words(missing), missing.size() > 1 ? "them" : "it",
             missing.size() > 1 ? "them" : "it");
    std::map<std::string, std::string> gradients;
    for (const auto& [version, list] : contributions_) gradients.try_emplace(version.first, list.front().name);
    return gradients;
  }

  NetDef take_net() { return std::move(net_); }

 private:
  bool needs(const BlobVersion& version) const { return needed_.contains(version); }

  std::string unique_name(const std::string& wanted) {
    if (taken_.insert(wanted).second) return wanted;
    for (int n = 0;; ++n) {
      const std::string name = autosplit_name(wanted, n);
      if (taken_.insert(name).second) return name;
    }
  }

  OperatorDef& append(const std::string& type, const std::vector<std::string>& inputs, const std::string& output,
                      const DeviceOption& device) {
    OperatorDef& op = *net_.add_op();
    op.set_type(type);
    op.set_name(output);
    for (const std::string& input : inputs) op.add_input(input);
    op.add_output(output);
    if (!device.type().empty()) *op.mutable_device_option() = device;
    op.set_is_gradient_op(true);
    return op;
  }

  void contribute(const BlobVersion& version, Contribution one) {
    ++holders_[one.name];
    std::vector<Contribution>& list = contributions_[version];
    if (!list.empty() && !(device_id(list.front().device) == device_id(one.device))) {
      const auto from = [](const Contribution& c) { return c.from != nullptr ? op_text(*c.from) : "the loss"; };
      LS_THROW(kGraph, "the gradients of blob '{}' come from two devices: {} on {} and {} on {}; copy it first",
               version.first, from(list.front()), to_string(device_id(list.front().device)), from(one),
               to_string(device_id(one.device)));
    }
    list.push_back(std::move(one));
  }

  // The blob is overwritten: it no longer holds the gradients that it held.
  void forget(const std::string& gradient) {
    std::erase_if(contributions_, [&](const auto& entry) { return entry.second.front().name == gradient; });
  }

  void release(const BlobVersion& version) {
    const auto found = contributions_.find(version);
    if (found == contributions_.end() || wanted_.contains(version)) return;
    for (const Contribution& one : found->second) --holders_[one.name];
  }

  // Adds what the consumers of a version gave, in the order of generation.
  void accumulate(const BlobVersion& version) {
    const auto found = contributions_.find(version);
    if (found == contributions_.end() || found->second.size() < 2) return;
    std::vector<Contribution>& list = found->second;
    std::vector<std::string> names;
    for (const Contribution& one : list) names.push_back(one.name);
    const bool in_place = list[0].own && holders_[names[0]] == 1;
    const std::string sum = in_place ? names[0] : unique_name(version.first + "_grad");
    append("Sum", names, sum, list[0].device);
    for (const std::string& name : names) --holders_[name];
    list = {{sum, list[0].device, list[0].from, true}};
    ++holders_[sum];
  }

  void differentiate(int k) {
    const OperatorDef& op = forward_.op(k);
    const auto& versions = versions_.ops[static_cast<std::size_t>(k)];
    std::vector<std::string> gradient_names;  // real names, per output
    std::vector<std::string> marks;
    bool any = false;
    for (std::size_t o = 0; o < versions.outputs.size(); ++o) {
      accumulate(versions.outputs[o]);  // a loss that is also read later: the seed comes on top
      const auto found = contributions_.find(versions.outputs[o]);
      const bool has = found != contributions_.end();
      any = any || has;
      gradient_names.push_back(has ? found->second.front().name : "");
      marks.push_back(has ? kGradientMark + std::to_string(o) : "");
    }
    std::vector<bool> needed;
    for (const BlobVersion& input : versions.inputs) needed.push_back(needs(input));
    const OpSchema& schema = catalog_.find(op.type());
    if (!any || !schema.has_gradient() || std::find(needed.begin(), needed.end(), true) == needed.end()) return;

    OperatorDef marked = op;
    for (std::string& input : *marked.mutable_input()) {
      const auto& outputs = op.output();
      if (std::find(outputs.begin(), outputs.end(), input) != outputs.end()) input.insert(0, 1, kOverwrittenMark);
    }
    const Gradients gradients = schema.make_gradients(GradientContext(marked, marks, needed));
    for (const BlobVersion& output : versions.outputs) release(output);

    std::map<std::string, std::string> local;  // what the rule calls a blob -> its name
    for (std::size_t o = 0; o < marks.size(); ++o) {
      if (!marks[o].empty()) local[marks[o]] = gradient_names[o];
    }
    for (std::size_t g = 0; g < gradients.ops.size(); ++g) append_gradient_op(k, gradients, g, local);
    std::map<std::string, int> uses;
    for (const std::string& name : gradients.input_gradients) ++uses[name];
    for (std::size_t i = 0; i < versions.inputs.size(); ++i) {
      const std::string& name = gradients.input_gradients[i];
      if (name.empty() || !needed[i]) continue;
      const auto found = local.find(name);
      LS_ASSERT(found != local.end(), "the gradient rule of {} returns '{}', which it does not write", op_text(op),
                name);
      const bool own = name[0] != kGradientMark && uses[name] == 1;
      contribute(versions.inputs[i], {found->second, op.device_option(), &op, own});
    }
  }

  // Appends operator `g` of a rule's answer with real names.
  void append_gradient_op(int k, const Gradients& gradients, std::size_t g, std::map<std::string, std::string>& local) {
    OperatorDef op = gradients.ops[g];
    const std::vector<std::string> asked(op.output().begin(), op.output().end());
    for (std::string& input : *op.mutable_input()) {
      const auto found = local.find(input);
      if (found != local.end()) {
        input = found->second;
      } else {
        check_current(k, op, input);
      }
    }
    for (int o = 0; o < op.output_size(); ++o) {
      const std::string& name = asked[static_cast<std::size_t>(o)];
      if (name.empty()) continue;
      // An operator that works in place has in-place gradients too, where nobody else needs the gradient.
      const std::string mark = in_place_mark(gradients, g, o, name, local);
      std::string real = name;
      if (real[0] == kOverwrittenMark) real.erase(0, 1);
      if (!mark.empty()) {
        real = local.at(mark);
        forget(real);
      } else if (real[0] == kGradientMark) {
        real = unique_name(local.at(real));
      } else {
        real = unique_name(real);
      }
      local[name] = real;
      op.set_output(o, real);
    }
    *net_.add_op() = std::move(op);
  }

  // The output gradient that output `o` of operator `g` of a rule may overwrite; empty when there is none.
  std::string in_place_mark(const Gradients& gradients, std::size_t g, int o, const std::string& name,
                            const std::map<std::string, std::string>& local) {
    const OperatorDef& op = gradients.ops[g];
    if (!catalog_.has(op.type())) return "";
    const OpSchema& schema = catalog_.find(op.type());
    const bool wants_gradient = name[0] == kGradientMark;
    const std::string plain = name[0] == kOverwrittenMark ? name.substr(1) : name;
    for (int i = 0; i < op.input_size(); ++i) {
      const std::string& input = op.input(i);
      if (input.empty() || input[0] != kGradientMark || !schema.may_be_in_place(i, o)) continue;
      const std::string& real = local.at(input);
      if (wants_gradient ? input != name : real != plain) continue;
      const auto held = holders_.find(real);
      if (held != holders_.end() && held->second > 0) continue;
      // Two output gradients may be one blob, so readers are counted by the real name.
      const auto is_real = [&](const std::string& one) {
        const auto found = local.find(one);
        return found != local.end() && found->second == real;
      };
      const auto reads = [&](const OperatorDef& one) {
        return std::count_if(one.input().begin(), one.input().end(), is_real);
      };
      if (reads(op) > 1) continue;
      const auto& ops = gradients.ops;
      if (std::any_of(ops.begin() + static_cast<std::ptrdiff_t>(g) + 1, ops.end(), reads)) continue;
      const auto& passed = gradients.input_gradients;
      const auto is_passed = [&](const std::string& one) { return one != name && is_real(one); };
      if (std::any_of(passed.begin(), passed.end(), is_passed)) continue;
      return input;
    }
    return "";
  }

  // A gradient operator may read what its forward operator saw, if it is still there.
  void check_current(int k, const OperatorDef& gradient, const std::string& name) {
    if (name.empty()) return;
    const OperatorDef& op = forward_.op(k);
    LS_CHECK(kGraph, name[0] != kOverwrittenMark,
             "{}, the gradient of {}, reads input '{}', which the operator itself overwrites; give it another output",
             gradient.type(), op_text(op), name.substr(1));
    const auto& versions = versions_.ops[static_cast<std::size_t>(k)];
    const BlobVersion* seen = nullptr;
    for (const BlobVersion& one : versions.inputs) seen = one.first == name ? &one : seen;
    for (const BlobVersion& one : versions.outputs) seen = one.first == name ? &one : seen;
    LS_ASSERT(seen != nullptr, "the gradient rule of {} reads '{}', which is no blob of the operator", op_text(op),
              name);
    if (versions_.last.at(name) == seen->second) return;
    const int writer = versions_.producer.at({name, seen->second + 1});
    LS_THROW(kGraph,
             "{}, the gradient of {}, needs blob '{}' as the operator saw it, but {} overwrites it later; "
             "do not let {} work in place",
             gradient.type(), op_text(op), name, op_text(forward_.op(writer)), op_text(forward_.op(writer)));
  }

  const NetDef forward_;
  NetDef net_;
  const OpCatalog& catalog_;
  const std::set<std::string>& trainable_;
  NetVersions versions_;
  std::set<std::string> taken_;
  std::set<BlobVersion> wanted_;  // trainable blobs
  std::set<BlobVersion> needed_;  // what depends on a trainable blob through operators with gradients
  std::map<BlobVersion, std::vector<Contribution>> contributions_;
  std::map<std::string, int> holders_;  // gradient blob -> versions whose gradient it is and that still need it
};

}  // namespace

std::map<std::string, std::string> add_gradient_operators(NetDef& net, const OpCatalog& catalog,
                                                          const std::map<std::string, std::string>& losses,
                                                          const std::set<std::string>& trainable) {
  LS_CHECK(kGraph, !losses.empty(), "net '{}' has no loss to differentiate", net.name());
  for (const OperatorDef& op : net.op()) {
    LS_CHECK(kGraph, !op.is_gradient_op(), "net '{}' has gradient operators already ({}); add them once", net.name(),
             op_text(op));
  }
  GradientPass pass(net, catalog, trainable);
  for (const auto& [loss, gradient] : losses) pass.seed(loss, gradient);
  pass.backward();
  std::map<std::string, std::string> gradients = pass.result();
  net = pass.take_net();
  return gradients;
}

}  // namespace lockstep
