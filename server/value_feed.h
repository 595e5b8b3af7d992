#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/value_ring.h"
#include "server/value_source.h"
#include "server/wall_time.h"

namespace davit {

/// Where the values of nodes are in a row.
class RowLayout {
 public:
  explicit RowLayout(const std::vector<std::uint32_t>& nodes) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) columns_.emplace(nodes[i], i);
  }
  /// -1 where it is not.
  int ColumnOf(std::uint32_t node) const {
    const auto found = columns_.find(node);
    return found == columns_.end() ? -1 : static_cast<int>(found->second);
  }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> columns_;
};

/// The values that somebody watches, with the ring that brings them from the thread that drives to the
/// server. What is watched does not change: for another choice there is another feed.
class ValueFeed {
 public:
  /// `nodes[i]` is the node whose value `sources[i]` is.
  ValueFeed(const std::vector<std::uint32_t>& nodes, std::vector<ValueSource> sources)
      : sources_(std::move(sources)),
        layout_(std::make_shared<const RowLayout>(nodes)),
        ring_(sources_.size(), RowsFor(sources_.size())) {}

  /// A row of the present values, in the thread that drives. Allocates nothing, never waits. False where
  /// there was no room for it.
  bool Publish(std::uint64_t wall, double t) {
    bool has_room = false;
    const std::span<double> row = ring_.Next(has_room);
    if (!has_room) return false;
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = sources_[i].Read();
    ring_.Push(wall, t);
    return true;
  }

  ValueRing& ring() { return ring_; }
  const std::shared_ptr<const RowLayout>& layout() const { return layout_; }
  std::size_t size() const { return sources_.size(); }

 private:
  static std::size_t RowsFor(std::size_t width) {
    constexpr std::size_t kMostNumbers = 1 << 21;
    return std::clamp<std::size_t>(kMostNumbers / std::max<std::size_t>(width, 1), 16, 1024);
  }

  std::vector<ValueSource> sources_;
  std::shared_ptr<const RowLayout> layout_;
  ValueRing ring_;
};

}  // namespace davit
