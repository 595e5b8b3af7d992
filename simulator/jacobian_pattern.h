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
  std::size_t group_count() const { return groups_.size(); }
  /// Columns that can be changed together, ascending.
  const std::vector<std::uint32_t>& Group(std::size_t g) const { return groups_[g]; }

 private:
  std::vector<std::size_t> row_begin_;  ///< by column, and the end
  std::vector<std::uint32_t> rows_;
  std::vector<std::vector<std::uint32_t>> groups_;
};

}  // namespace davit
