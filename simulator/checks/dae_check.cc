#include "simulator/checks/dae_check.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "simulator/islands/island.h"
#include "simulator/islands/unwritten.h"

namespace davit {
namespace {

constexpr std::size_t kUnmatched = ~std::size_t{0};
constexpr int kProbes = 3;

/// Names of unknowns for a message, not too many.
std::string List(const StateVectors& states, const std::vector<std::size_t>& unknowns) {
  constexpr std::size_t kMost = 6;
  std::string list;
  for (std::size_t i = 0; i < std::min(unknowns.size(), kMost); ++i) {
    list += (i == 0 ? "" : ", ") + states.Name(unknowns[i]);
  }
  if (unknowns.size() > kMost) list += " and " + std::to_string(unknowns.size() - kMost) + " more";
  return list;
}

/// Maximum matching of rows and columns by augmenting paths.
class Matching {
 public:
  explicit Matching(const std::vector<std::vector<std::size_t>>& rows_of_column)
      : rows_of_(rows_of_column), column_of_row_(rows_of_column.size(), kUnmatched) {
    for (std::size_t j = 0; j < rows_of_.size(); ++j) {
      seen_.assign(rows_of_.size(), false);
      if (!Augment(j)) free_columns_.push_back(j);
    }
  }
  const std::vector<std::size_t>& free_columns() const { return free_columns_; }
  std::vector<std::size_t> FreeRows() const {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < column_of_row_.size(); ++i) {
      if (column_of_row_[i] == kUnmatched) free.push_back(i);
    }
    return free;
  }
  /// Columns that compete with `column` for the same rows, itself included.
  std::vector<std::size_t> Competitors(std::size_t column) {
    seen_.assign(rows_of_.size(), false);
    std::vector<std::size_t> found{column};
    for (std::size_t k = 0; k < found.size(); ++k) {
      for (const std::size_t i : rows_of_[found[k]]) {
        if (seen_[i] || column_of_row_[i] == kUnmatched) continue;
        seen_[i] = true;
        found.push_back(column_of_row_[i]);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  bool Augment(std::size_t column) {
    for (const std::size_t i : rows_of_[column]) {
      if (seen_[i]) continue;
      seen_[i] = true;
      if (column_of_row_[i] == kUnmatched || Augment(column_of_row_[i])) {
        column_of_row_[i] = column;
        return true;
      }
    }
    return false;
  }

  const std::vector<std::vector<std::size_t>>& rows_of_;
  std::vector<std::size_t> column_of_row_;
  std::vector<bool> seen_;
  std::vector<std::size_t> free_columns_;
};

}  // namespace

void DaeCheck::Run() {
  if (HasAllEquations() && IsStructurallyRegular()) CheckNumbers();
  island_.EvaluateAt(t_);  // the states live in the island's own vectors again
}

bool DaeCheck::HasAllEquations() {
  StateVectors& states = island_.states();
  std::vector<double> residual(states.size(), kUnwritten);
  island_.EvaluateResidual(t_, states.y.data(), states.ddt.data(), residual.data());
  bool is_good = true;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Component& owner = states.Owner(i);
    if (IsUnwritten(residual[i])) {
      diagnostics_.Error(owner.location(), owner.DisplayPath(),
                         "no equation for " + states.Name(i) + ": EvaluateAlgebraicEquations of " +
                             std::string(owner.model().name) + " must write its residual");
      is_good = false;
    } else if (!std::isfinite(residual[i])) {
      diagnostics_.Error(owner.location(), owner.DisplayPath(),
                         "the equation for " + states.Name(i) +
                             " gives no finite value at the start values; give other ones with <Start>");
      is_good = false;
    }
  }
  return is_good;
}

bool DaeCheck::IsStructurallyRegular() {
  StateVectors& states = island_.states();
  const SolverProblem& problem = island_.problem();
  const std::size_t n = states.size();
  std::vector<std::vector<std::size_t>> rows_of(n);
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> share(-1, 1);
  std::vector<double> residual(n), shifted(n);
  for (int probe = 0; probe < kProbes; ++probe) {
    std::vector<double> y = states.y;
    std::vector<double> ddt = states.ddt;
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::max(std::abs(y[i]), problem.nominal[i]);
      y[i] += 1e-3 * size * share(random);
      ddt[i] += problem.nominal[i] * share(random);
    }
    island_.EvaluateResidual(t_, y.data(), ddt.data(), residual.data());
    for (std::size_t g = 0; g < problem.pattern.group_count(); ++g) {
      const std::vector<double> y_before = y;
      const std::vector<double> ddt_before = ddt;
      for (const std::uint32_t j : problem.pattern.Group(g)) {
        double& unknown = problem.is_algebraic[j] ? y[j] : ddt[j];
        unknown += 1e-3 * std::max(std::abs(unknown), problem.nominal[j]);
      }
      island_.EvaluateResidual(t_, y.data(), ddt.data(), shifted.data());
      y = y_before;
      ddt = ddt_before;
      for (const std::uint32_t j : problem.pattern.Group(g)) {
        for (const std::uint32_t i : problem.pattern.Rows(j)) {
          if (shifted[i] != residual[i]) rows_of[j].push_back(i);
        }
      }
    }
  }
  for (std::vector<std::size_t>& rows : rows_of) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  Matching matching(rows_of);
  if (matching.free_columns().empty()) return true;
  std::vector<bool> has_unknown(n, false);
  for (const auto& rows : rows_of) {
    for (const std::size_t i : rows) has_unknown[i] = true;
  }
  const auto report = [&](std::size_t place, const std::string& fault) {
    const Component& owner = states.Owner(place);
    diagnostics_.Error(owner.location(), owner.DisplayPath(), fault);
  };
  bool is_explained = false;
  for (const std::size_t j : matching.free_columns()) {
    if (!rows_of[j].empty()) continue;
    is_explained = true;
    report(j, "nothing determines " + states.Name(j) +
                  ": no equation changes with it at the start values; open a branch there, or connect "
                  "something that reacts to it");
  }
  if (is_explained) return false;
  // An equation that contains none of the unknowns is the clearest sign of a high index.
  for (const std::size_t i : matching.FreeRows()) {
    if (has_unknown[i]) continue;
    is_explained = true;
    report(i, "the equation for " + states.Name(i) +
                  " contains no algebraic variable and no derivative, so the index is above 1; state a "
                  "constraint g = 0 of positions or velocities for the accelerations, as in "
                  "g'' + 2 w g' + w^2 g = 0");
  }
  if (is_explained) return false;
  for (const std::size_t j : matching.free_columns()) {
    const std::vector<std::size_t> block = matching.Competitors(j);
    report(j, "the unknowns " + List(states, block) + " appear in only " + std::to_string(block.size() - 1) +
                  (block.size() == 2 ? " equation" : " equations") +
                  "; an equation is missing, or the index is above 1: state constraints of positions or "
                  "velocities for the accelerations");
  }
  return false;
}

void DaeCheck::CheckNumbers() {
  using Eigen::Index;
  using Matrix = Eigen::MatrixXd;
  StateVectors& states = island_.states();
  const SolverProblem& problem = island_.problem();
  const auto n = static_cast<Index>(states.size());
  if (n > kMostDense) return;
  // Columns in units of the nominal values.
  Matrix E(n, n);
  Matrix A(n, n);
  Eigen::VectorXd residual(n);
  Eigen::VectorXd above(n);
  std::vector<double> y = states.y;
  std::vector<double> ddt = states.ddt;
  const auto evaluate = [&](Eigen::VectorXd& to) {
    island_.EvaluateResidual(t_, y.data(), ddt.data(), to.data());
  };
  evaluate(residual);
  for (Index j = 0; j < n; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const double nominal = problem.nominal[k];
    const double slope = ddt[k];
    ddt[k] = slope + nominal;
    evaluate(above);
    ddt[k] = slope;
    E.col(j) = above - residual;
    const double value = y[k];
    const double shift = 1e-7 * std::max(std::abs(value), nominal);
    y[k] = value + shift;
    evaluate(above);
    y[k] = value - shift;
    Eigen::VectorXd below(n);
    evaluate(below);
    y[k] = value;
    A.col(j) = (above - below) * (nominal / (2 * shift));
  }
  if (!E.allFinite() || !A.allFinite()) return;  // the run will report it
  for (Index i = 0; i < n; ++i) {
    const double size = std::max(E.row(i).cwiseAbs().maxCoeff(), 0.0);
    const double scale = size > 0 ? size : A.row(i).cwiseAbs().maxCoeff();
    if (!(scale > 0)) continue;
    E.row(i) /= scale;
    A.row(i) /= scale;
  }
  const Eigen::JacobiSVD<Matrix, Eigen::FullPivHouseholderQRPreconditioner> svd(
      E, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto& values = svd.singularValues();
  Index rank = 0;
  while (rank < n && values[rank] > 1e-7 * std::max(values[0], 1e-300)) ++rank;
  const Index m = n - rank;
  if (m == 0) return;
  const Matrix N = svd.matrixV().rightCols(m);
  Matrix core = svd.matrixU().rightCols(m).transpose() * A * N;
  Eigen::VectorXd column_scale = Eigen::VectorXd::Ones(m);
  for (int round = 0; round < 4; ++round) {
    for (Index i = 0; i < m; ++i) {
      const double size = core.row(i).cwiseAbs().maxCoeff();
      if (size > 0) core.row(i) /= size;
    }
    for (Index j = 0; j < m; ++j) {
      const double size = core.col(j).cwiseAbs().maxCoeff();
      if (!(size > 0)) continue;
      core.col(j) /= size;
      column_scale[j] /= size;
    }
  }
  const Eigen::JacobiSVD<Matrix, Eigen::FullPivHouseholderQRPreconditioner> inner(core, Eigen::ComputeFullV);
  // Difference quotients are good to about 1e-8.
  if (inner.singularValues()[m - 1] > 1e-7 * inner.singularValues()[0]) return;
  const Eigen::VectorXd kernel = N * column_scale.cwiseProduct(inner.matrixV().col(m - 1));
  const double largest = kernel.cwiseAbs().maxCoeff();
  std::vector<std::size_t> involved;
  for (Index i = 0; i < n; ++i) {
    if (std::abs(kernel[i]) > 0.05 * largest) involved.push_back(static_cast<std::size_t>(i));
  }
  Matrix pencil = std::numbers::e * E + A;
  for (Index i = 0; i < n; ++i) pencil.row(i) /= std::max(pencil.row(i).cwiseAbs().maxCoeff(), 1e-300);
  Eigen::FullPivLU<Matrix> lu(pencil);
  lu.setThreshold(1e-12);
  const Component& owner = states.Owner(involved.front());
  diagnostics_.Error(
      owner.location(), owner.DisplayPath(),
      lu.isInvertible()
          ? "the equations do not determine " + List(states, involved) +
                " at the start values: the index is above 1, or a matrix is singular there; state "
                "constraints for the accelerations, or start elsewhere"
          : "the equations do not determine " + List(states, involved) +
                " at the start values: some of them are redundant; remove what fixes or connects the "
                "same thing twice");
}

}  // namespace davit
