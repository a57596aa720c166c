// SPDX-License-Identifier: Apache-2.0
#include "lockstep/engine/process_exchange.h"

#include <cstring>
#include <sstream>

#include "lockstep/base/check.h"

namespace lockstep {
namespace {

// Values of fixed size as bytes; both ends are the same build (shake_hands).
class Packer {
 public:
  template <typename T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <typename T>
  void add_list(const std::vector<T>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) add(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}
  template <typename T>
  T take() {
    T value;
    LS_ASSERT(at_ + sizeof value <= bytes_.size(), "a message of {} bytes from another rank is too short",
              bytes_.size());
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <typename T>
  std::vector<T> take_list() {
    std::vector<T> values(take<std::uint64_t>());
    for (T& value : values) value = take<T>();
    return values;
  }
  bool is_empty() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

// "threads 2 instead of 1".
std::string difference(const std::string& name, const std::string& first, const std::string& other) {
  const auto a = lines_of(first), b = lines_of(other);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string wanted = i < a.size() ? trimmed(a[i]) : "nothing",
                      found = i < b.size() ? trimmed(b[i]) : "nothing";
    if (wanted != found) return fmt::format("{} {} instead of {}", name, found, wanted);
  }
  return name;
}

}  // namespace

std::string shake_hands(ProcessGroup& group, const std::vector<HandshakeFact>& facts, bool allow_different_numerics) {
  std::string refused, passed;
  const auto note = [](std::string& text, int rank, const std::string& what) {
    text += fmt::format("{}rank {} has {}", text.empty() ? "" : "; ", rank, what);
  };
  for (const HandshakeFact& fact : facts) {
    const std::vector<std::string> values = group.gather("handshake: " + fact.name, fact.value);
    for (int r = 1; r < group.size(); ++r) {
      const std::string& value = values[static_cast<std::size_t>(r)];
      if (value == values[0]) continue;
      const bool passes = fact.is_numerics && allow_different_numerics;
      note(passes ? passed : refused, r, difference(fact.name, values[0], value));
    }
  }
  LS_CHECK(kConfig, refused.empty(),
           "the processes do not fit together, compared with rank 0: {}; start all with the same program, recipe, data "
           "and flags (other builds, instruction sets and threads are let pass by --allow-different-numerics)",
           refused);
  return passed;
}

bool exchange_results(ProcessGroup& group, const std::vector<MicroBatchRange>& ranges, bool wants_to_stop,
                      std::vector<MicroBatchResult>& results) {
  Packer packer;
  packer.add(wants_to_stop);
  for (const MicroBatchRange& range : ranges) {
    for (int index = range.begin; index < range.end; ++index) {
      const MicroBatchResult& result = results[static_cast<std::size_t>(index)];
      packer.add(index);
      packer.add_list(result.sample_ids);
      packer.add_list(result.losses);
    }
  }
  bool stop = false;
  for (const std::string& message : group.gather("losses of the step", packer.bytes())) {
    Unpacker unpacker(message);
    stop |= unpacker.take<bool>();
    while (!unpacker.is_empty()) {
      MicroBatchResult& result = results.at(static_cast<std::size_t>(unpacker.take<int>()));
      result.sample_ids = unpacker.take_list<std::int64_t>();
      result.losses = unpacker.take_list<float>();
    }
  }
  return stop;
}

std::vector<std::vector<DetectedObject>> gather_detections(ProcessGroup& group,
                                                           const std::vector<std::vector<DetectedObject>>& mine) {
  Packer packer;
  for (const std::vector<DetectedObject>& image : mine) packer.add_list(image);
  std::vector<std::vector<DetectedObject>> all;
  for (const std::string& message : group.gather("detections", packer.bytes())) {
    Unpacker unpacker(message);
    while (!unpacker.is_empty()) all.push_back(unpacker.take_list<DetectedObject>());
  }
  return all;
}

}  // namespace lockstep
