#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// How far an unknown of the given value is shifted to either side for a difference quotient, about where
/// rounding and curvature do equal harm. `nominal` is its typical size. Two unknowns of nearly one value get
/// nearly one increment: the quotients of a law that reads only their difference must cancel.
inline double Increment(double value, double nominal) {
  return std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(value), 1e-5 * nominal);
}

/// The derivative from values on both sides, `up` and `down` away, or from one side and the value between
/// them where the other side has none; NaN where there is none at all.
inline double Quotient(double above, double below, double between, double up, double down) {
  if (std::isfinite(above) && std::isfinite(below)) return (above - below) / (up + down);
  return std::isfinite(above) ? (above - between) / up : (between - below) / down;
}

/// Of unknowns that may be 0 where equations are solved, not followed: at least that of their typical size.
inline double IncrementOfUnknown(double value, double nominal) {
  return Increment(std::max(std::abs(value), nominal), nominal);
}

/// The Jacobian of a system of equations by central differences of all of them; unknowns that no equation
/// reads together share their two evaluations.
///
/// Forward differences will not do: where dq/dp_a and dq/dp_b are large and nearly cancel, as in a port
/// without flow, both columns must be secants of one piece of the law.
class DifferenceQuotients {
 public:
  /// Sizes the work space.
  explicit DifferenceQuotients(std::size_t most) {
    for (std::vector<double>* v : {&shifted_, &above_, &below_}) v->reserve(most);
  }

  /// Writes the entries of `pattern`, column by column. `equations(shifted, values)` writes all equations
  /// with the unknowns `shifted`, `between` are those with `y`, each unknown moves by `increments`.
  template <class Equations>
  void Fill(const JacobianPattern& pattern, std::span<const double> y, std::span<const double> between,
            std::span<const double> increments, std::vector<double>& entries, Equations&& equations) {
    shifted_.assign(y.begin(), y.end());
    above_.resize(y.size());
    below_.resize(y.size());
    for (std::size_t g = 0; g < pattern.group_count(); ++g) {
      const auto group = pattern.Group(g);
      for (const std::uint32_t j : group) shifted_[j] = y[j] + increments[j];
      equations(shifted_, above_);
      for (const std::uint32_t j : group) shifted_[j] = y[j] - increments[j];
      equations(shifted_, below_);
      for (const std::uint32_t j : group) {
        const double up = (y[j] + increments[j]) - y[j];
        const double down = y[j] - shifted_[j];
        std::size_t entry = pattern.Begin(j);
        for (const std::uint32_t i : pattern.Rows(j)) {
          entries[entry++] = Quotient(above_[i], below_[i], between[i], up, down);
        }
        shifted_[j] = y[j];
      }
    }
  }

 private:
  std::vector<double> shifted_, above_, below_;
};

/// The entries that a pattern has, column by column, as a matrix of its size.
inline void CopyEntries(const JacobianPattern& pattern, std::span<const double> entries,
                        Eigen::MatrixXd& matrix) {
  matrix.setZero();
  auto entry = entries.begin();
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    for (const std::uint32_t i : pattern.Rows(j)) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = *entry++;
    }
  }
}

}  // namespace davit
