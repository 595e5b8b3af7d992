#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace davit {

/// Which unknowns (columns) each equation (row) of a square system may read, and which columns can share one
/// difference quotient because no equation reads two of them.
///
/// Columns are coloured greedily in their order (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation
/// of sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974): a chain needs three colours, whatever its
/// length.
class JacobianPattern {
 public:
  JacobianPattern() = default;
  /// `columns_by_row`: sorted, without duplicates; the diagonal is added where it is missing.
  explicit JacobianPattern(std::vector<std::vector<std::uint32_t>> columns_by_row);
  /// Every equation reads every unknown.
  static JacobianPattern Full(std::size_t size);

  std::size_t size() const { return row_begin_.empty() ? 0 : row_begin_.size() - 1; }
  std::size_t nonzeros() const { return rows_.size(); }
  /// The equations that read unknown `column`, ascending.
  std::span<const std::uint32_t> Rows(std::size_t column) const {
    return std::span(rows_).subspan(row_begin_[column], row_begin_[column + 1] - row_begin_[column]);
  }
  /// Where the rows of `column` begin in a list of all entries, column by column.
  std::size_t Begin(std::size_t column) const { return row_begin_[column]; }
  std::size_t group_count() const { return group_begin_.empty() ? 0 : group_begin_.size() - 1; }
  /// Columns that can be changed together, ascending.
  std::span<const std::uint32_t> Group(std::size_t g) const {
    return std::span(grouped_).subspan(group_begin_[g], group_begin_[g + 1] - group_begin_[g]);
  }
  /// Becomes the part of `whole` that is left when unknowns and their equations are taken out. `offsets` has
  /// the new number of each, or one that is no number of an unknown. Allocates nothing where `this` was a
  /// copy of `whole` before.
  void Restrict(const JacobianPattern& whole, std::span<const std::uint32_t> offsets, std::uint32_t absent);

 private:
  std::vector<std::size_t> row_begin_;  ///< by column, and the end
  std::vector<std::uint32_t> rows_;
  std::vector<std::size_t> group_begin_;  ///< by group, and the end
  std::vector<std::uint32_t> grouped_;    ///< columns, group by group
};

}  // namespace davit
