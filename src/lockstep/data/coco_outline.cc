// SPDX-License-Identifier: Apache-2.0
#include "lockstep/data/coco_outline.h"

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "lockstep/data/file_bytes.h"

namespace lockstep {
namespace {

constexpr std::string_view kKey = "\"segmentation\"";

enum class Mark : std::uint8_t { kForeign, kPlain, kOpen, kClose };

constexpr std::array<Mark, 256> make_marks() {
  std::array<Mark, 256> marks{};
  for (const char c : std::string_view("0123456789+-.eE, \t\r\n")) marks[static_cast<unsigned char>(c)] = Mark::kPlain;
  marks['['] = Mark::kOpen;
  marks[']'] = Mark::kClose;
  return marks;
}
constexpr std::array<Mark, 256> kMarks = make_marks();

bool is_blank(std::uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Copies a text that comes in parts, without the lists.
class Outliner {
 public:
  Outliner(std::size_t size, std::size_t padding) { outline_.text.reserve(size + padding); }

  // Takes from the front of `window` what can be decided, and says how many bytes that was; the rest is to come again
  // with what follows it. `last` tells that nothing follows.
  std::size_t take(std::span<const std::uint8_t> window, bool last) {
    const std::uint8_t* at = window.data();
    const std::uint8_t* const end = at + window.size();
    while (at != end && !foreign_) {
      if (depth_ > 0) {
        at = skip_list(at, end);
        continue;
      }
      const void* const hit = memmem(at, static_cast<std::size_t>(end - at), kKey.data(), kKey.size());
      if (hit == nullptr) {
        // The key may have begun in the last bytes; the byte before it matters too.
        const auto kept = last ? 0 : std::min<std::ptrdiff_t>(end - at, static_cast<std::ptrdiff_t>(kKey.size()));
        copy(at, end - kept);
        at = end - kept;
        break;
      }
      const auto* const key = static_cast<const std::uint8_t*>(hit);
      const std::uint8_t* const value = value_after(key + kKey.size(), end);
      if (value == end && !last) {
        const std::uint8_t* const stop = key == at ? key : key - 1;
        copy(at, stop);
        at = stop;
        break;
      }
      // Behind a backslash the quote belongs to a text.
      const bool is_key = key > window.data() ? key[-1] != '\\' : !ends_in_backslash();
      if (is_key && value != end && *value == '[') {
        copy(at, value);
        outline_.text.push_back('[');
        outline_.text.push_back(']');
        ++outline_.removed;
        depth_ = 1;
        at = value + 1;
      } else {
        copy(at, key + kKey.size());
        at = key + kKey.size();
      }
    }
    return static_cast<std::size_t>(at - window.data());
  }

  bool foreign() const { return foreign_; }
  bool within_list() const { return depth_ > 0; }
  CocoOutline finish(std::size_t padding) {
    outline_.text.resize(outline_.text.size() + padding);
    return std::move(outline_);
  }

 private:
  void copy(const std::uint8_t* from, const std::uint8_t* to) { outline_.text.insert(outline_.text.end(), from, to); }
  bool ends_in_backslash() const { return !outline_.text.empty() && outline_.text.back() == '\\'; }

  // The first byte of the value behind a key and its colon; `end` when it lies beyond. No key: the byte that shows it.
  static const std::uint8_t* value_after(const std::uint8_t* at, const std::uint8_t* end) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end || *at != ':') return at;
    ++at;
    while (at != end && is_blank(*at)) ++at;
    return at;
  }

  const std::uint8_t* skip_list(const std::uint8_t* at, const std::uint8_t* end) {
    for (; at != end; ++at) {
      const Mark mark = kMarks[*at];
      if (mark == Mark::kPlain) continue;
      if (mark == Mark::kOpen) {
        ++depth_;
      } else if (mark == Mark::kClose) {
        if (--depth_ == 0) return at + 1;
      } else {
        foreign_ = true;
        return end;
      }
    }
    return at;
  }

  CocoOutline outline_;
  int depth_ = 0;  // of brackets in the list that is being left out
  bool foreign_ = false;
};

}  // namespace

std::optional<CocoOutline> read_coco_outline(const std::string& path, std::size_t padding) {
  FileParts file(path);
  Outliner outliner(file.size(), padding);
  std::vector<std::uint8_t> buffer(std::size_t{1} << 20);  // small enough for the cache
  std::size_t kept = 0;
  for (;;) {
    const std::size_t got = file.read(std::span(buffer).subspan(kept));
    const bool last = got < buffer.size() - kept;
    const std::size_t filled = kept + got;
    const std::size_t taken = outliner.take(std::span(buffer).first(filled), last);
    if (outliner.foreign()) return std::nullopt;
    if (last) break;
    kept = filled - taken;
    if (kept == buffer.size()) return std::nullopt;  // a key with a buffer of blanks behind it
    std::memmove(buffer.data(), buffer.data() + taken, kept);
  }
  if (outliner.within_list()) return std::nullopt;
  return outliner.finish(padding);
}

}  // namespace lockstep
