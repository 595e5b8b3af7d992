#include "simulator/solvers/jacobian_pattern.h"

#include <algorithm>
#include <numeric>

namespace davit {

JacobianPattern::JacobianPattern(std::vector<std::vector<std::uint32_t>> columns_by_row) {
  const std::size_t size = columns_by_row.size();
  row_begin_.assign(size + 1, 0);
  for (std::uint32_t i = 0; i < size; ++i) {
    std::vector<std::uint32_t>& columns = columns_by_row[i];
    const auto place = std::lower_bound(columns.begin(), columns.end(), i);
    if (place == columns.end() || *place != i) columns.insert(place, i);
    for (const std::uint32_t j : columns) ++row_begin_[j + 1];
  }
  std::partial_sum(row_begin_.begin(), row_begin_.end(), row_begin_.begin());
  rows_.resize(row_begin_.back());
  std::vector<std::size_t> next(row_begin_.begin(), row_begin_.end() - 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    for (const std::uint32_t j : columns_by_row[i]) rows_[next[j]++] = i;
  }

  const auto is_full = [&](const std::vector<std::uint32_t>& columns) { return columns.size() == size; };
  if (std::ranges::any_of(columns_by_row, is_full)) {  // it keeps all columns apart
    grouped_.resize(size);
    std::iota(grouped_.begin(), grouped_.end(), 0U);
    group_begin_.resize(size + 1);
    std::iota(group_begin_.begin(), group_begin_.end(), std::size_t{0});
    return;
  }
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> colour(size, 0);
  std::vector<std::uint32_t> taken_by(size + 1, static_cast<std::uint32_t>(size));  // by colour: last column
  for (std::uint32_t j = 0; j < size; ++j) {
    for (const std::uint32_t i : Rows(j)) {
      for (const std::uint32_t other : columns_by_row[i]) {
        if (other >= j) break;
        taken_by[colour[other]] = j;
      }
    }
    std::uint32_t c = 0;
    while (c < groups.size() && taken_by[c] == j) ++c;
    if (c == groups.size()) groups.emplace_back();
    colour[j] = c;
    groups[c].push_back(j);
  }
  group_begin_.push_back(0);
  for (const std::vector<std::uint32_t>& group : groups) {
    grouped_.insert(grouped_.end(), group.begin(), group.end());
    group_begin_.push_back(grouped_.size());
  }
}

void JacobianPattern::Restrict(const JacobianPattern& whole, std::span<const std::uint32_t> offsets,
                               std::uint32_t absent) {
  row_begin_.assign(1, 0);
  rows_.clear();
  for (std::size_t column = 0; column < whole.size(); ++column) {
    if (offsets[column] == absent) continue;
    for (const std::uint32_t row : whole.Rows(column)) {
      if (offsets[row] != absent) rows_.push_back(offsets[row]);
    }
    row_begin_.push_back(rows_.size());
  }
  group_begin_.assign(1, 0);
  grouped_.clear();
  for (std::size_t g = 0; g < whole.group_count(); ++g) {
    for (const std::uint32_t column : whole.Group(g)) {
      if (offsets[column] != absent) grouped_.push_back(offsets[column]);
    }
    if (grouped_.size() > group_begin_.back()) group_begin_.push_back(grouped_.size());
  }
}

JacobianPattern JacobianPattern::Full(std::size_t size) {
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0U);
  JacobianPattern pattern;
  pattern.row_begin_.push_back(0);
  for (const std::uint32_t j : all) {
    pattern.rows_.insert(pattern.rows_.end(), all.begin(), all.end());
    pattern.row_begin_.push_back(pattern.rows_.size());
    pattern.grouped_.push_back(j);
  }
  pattern.group_begin_.resize(size + 1);
  std::iota(pattern.group_begin_.begin(), pattern.group_begin_.end(), std::size_t{0});
  return pattern;
}

}  // namespace davit
