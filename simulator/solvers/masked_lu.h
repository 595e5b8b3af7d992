#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// LU factors of a small matrix with many zeros; which entries of a row are there is a mask of bits.
///
/// Unknowns are eliminated in an order of least degree, found once for each pattern (T. A. Davis, Direct
/// Methods for Sparse Linear Systems, 2006, chapter 7); a pivot off the diagonal is taken where the diagonal
/// is too small beside it. Rows are scaled to a largest entry of 1. Faster than dense factors from about 6
/// unknowns on, and than those of a general sparse solver up to kMost.
///
/// Call sequence: the constructor sizes everything; Analyze, then Factor, then Solve.
class MaskedLu {
 public:
  static constexpr std::size_t kMost = 32;

  /// For at most `largest` unknowns, which is at most kMost.
  explicit MaskedLu(std::size_t largest);

  /// Another pattern, with the diagonal in it. It must stay where it is.
  void Analyze(const JacobianPattern& pattern);
  /// Of shift*I - J, with the entries of J column by column.
  void Factor(double shift, const std::vector<double>& entries);
  /// Writes the solution over the right-hand side. A singular matrix gives solutions that are not finite.
  void Solve(double* b);
  /// How many operations a Factor and `solves` calls of Solve take, by the pattern.
  double Operations(int solves) const { return factor_operations_ + solves * solve_operations_; }
  /// What the last Factor was made of.
  void ArchiveMemory(Archive& archive);

 private:
  using Mask = std::uint32_t;
  /// Of the diagonal, as a share of the largest candidate: KLU has the same.
  static constexpr double kLeastPivot = 1e-3;

  double* Row(std::size_t i) { return &values_[i * kMost]; }
  void FindOrder();
  void Load();
  void Eliminate();
  void PackFactors();

  const JacobianPattern* pattern_ = nullptr;
  std::size_t n_ = 0;
  double factor_operations_ = 0, solve_operations_ = 0;
  double shift_ = 0;
  std::vector<double> entries_;  ///< of the last Factor
  /// By step of the elimination: the unknown, which is a column; and by unknown the step.
  std::vector<std::uint8_t> order_, step_of_;
  std::vector<Mask> pattern_masks_;  ///< by equation, of steps

  // By equation, with columns in the order of elimination.
  std::vector<double> values_, scales_;
  std::vector<Mask> masks_;
  std::vector<std::uint8_t> row_at_;  ///< by step: the equation

  /// The factors without zeros, by step: `columns_` and `factors_` up to the end.
  std::vector<std::uint8_t> columns_;
  std::vector<double> factors_;
  std::vector<std::uint16_t> lower_end_, upper_end_;
  std::vector<double> pivots_;  ///< their inverses
  std::vector<double> solution_;
};

}  // namespace davit
