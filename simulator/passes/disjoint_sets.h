#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace davit {

/// Sets of the numbers 0 .. count-1 that only grow together. The representative of a set is its smallest
/// member, so that results do not depend on the order of joining.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t Find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(std::uint32_t a, std::uint32_t b) {
    a = Find(a);
    b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace davit
