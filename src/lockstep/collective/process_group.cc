// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/process_group.h"

namespace lockstep {

std::vector<std::string> ProcessGroup::gather(const std::string& what, const std::string& text) {
  const auto ranks = static_cast<std::size_t>(size());
  const auto me = static_cast<std::size_t>(rank());
  const std::uint64_t mine = text.size();
  std::vector<std::uint64_t> lengths(ranks, mine);
  std::vector<std::string> texts(ranks);
  const auto with_all_others = [&](const void* data, std::size_t bytes, const auto& place_of) {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (std::size_t r = 0; r < ranks; ++r) {
      if (r == me) continue;
      outgoing.push_back({static_cast<int>(r), data, bytes});
      incoming.push_back(place_of(r));
    }
    exchange(what, outgoing, incoming);
  };
  with_all_others(&mine, sizeof mine, [&](std::size_t r) {
    return Incoming{static_cast<int>(r), &lengths[r], sizeof lengths[r]};
  });
  for (std::size_t r = 0; r < ranks; ++r) texts[r].resize(lengths[r]);
  with_all_others(text.data(), text.size(), [&](std::size_t r) {
    return Incoming{static_cast<int>(r), texts[r].data(), texts[r].size()};
  });
  texts[me] = text;
  return texts;
}

}  // namespace lockstep
