#include "analysis/linear/index_reduction.h"

#include <fmt/format.h>

#include <cmath>

namespace davit {
namespace {

/// Shares of the largest element below which one is rounding of the differences that E was made by.
constexpr double kRoundingOfMass = 1e-8;

}  // namespace

DifferentialPart FindDifferentialPart(const Eigen::MatrixXd& E, const Eigen::VectorXd& scale) {
  using Eigen::Index;
  Eigen::MatrixXd rest = E * scale.asDiagonal();
  // Each equation in units of its largest element.
  for (Index i = 0; i < rest.rows(); ++i) {
    const double largest = rest.row(i).cwiseAbs().maxCoeff();
    if (largest > 0) rest.row(i) /= largest;
  }
  const Index rows = rest.rows(), columns = rest.cols();
  DifferentialPart part;
  Index rank = 0;
  for (Index j = 0; j < columns && rank < rows; ++j) {
    Index best = rank;
    const double largest = rest.col(j).tail(rows - rank).cwiseAbs().maxCoeff(&best);
    if (largest <= kRoundingOfMass) continue;
    best += rank;
    rest.row(rank).swap(rest.row(best));
    rest.row(rank) /= rest(rank, j);
    for (Index i = 0; i < rows; ++i) {
      if (i != rank) rest.row(i) -= rest(i, j) * rest.row(rank);
    }
    part.pivots.push_back(j);
    ++rank;
  }
  part.T = rest.topRows(rank);
  // In the units of the unknowns; the pivot is 1 again.
  for (Index k = 0; k < rank; ++k) {
    const Index pivot = part.pivots[static_cast<std::size_t>(k)];
    part.T.row(k) = (part.T.row(k) * scale[pivot]).cwiseQuotient(scale.transpose());
    for (Index j = 0; j < columns; ++j) {
      if (std::abs(part.T(k, j)) * scale[j] <= kRoundingOfMass * scale[pivot]) part.T(k, j) = 0;
    }
    part.T(k, pivot) = 1;
  }
  part.H.resize(rows, rank);
  for (Index k = 0; k < rank; ++k) part.H.col(k) = E.col(part.pivots[static_cast<std::size_t>(k)]);
  return part;
}

std::string NameCombination(const Eigen::VectorXd& row, const std::vector<std::string>& names) {
  std::string text;
  for (Eigen::Index j = 0; j < row.size(); ++j) {
    const double factor = row[j];
    if (factor == 0) continue;
    if (!text.empty()) {
      text += factor < 0 ? " - " : " + ";
    } else if (factor < 0) {
      text += '-';
    }
    if (std::abs(std::abs(factor) - 1) > 1e-6) text += fmt::format("{:.6g}*", std::abs(factor));
    text += names[static_cast<std::size_t>(j)];
  }
  return text;
}

}  // namespace davit
