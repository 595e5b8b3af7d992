#include "simulator/solvers/masked_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/archive.h"

namespace davit {
namespace {

/// A matrix with entries at random places, and its columns as a pattern lists them.
struct RandomMatrix {
  RandomMatrix(std::size_t n, double density, std::uint64_t seed) : full(Eigen::MatrixXd::Zero(N(n), N(n))) {
    const auto next = [&seed] {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      return static_cast<double>(seed >> 40) / (1 << 24);
    };
    std::vector<std::vector<std::uint32_t>> rows(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (i != j && next() > density) continue;
        rows[i].push_back(static_cast<std::uint32_t>(j));
        // Equations of very different units; diagonals from dominant to nearly zero.
        full(N(i), N(j)) =
            (next() - 0.5) * std::pow(10.0, static_cast<double>(i % 7) - 3) * (i == j ? 10 * next() : 1);
      }
    }
    pattern = JacobianPattern(std::move(rows));
    for (std::size_t j = 0; j < n; ++j) {
      for (const std::uint32_t i : pattern.Rows(j)) entries.push_back(full(N(i), N(j)));
    }
  }
  static Eigen::Index N(std::size_t i) { return static_cast<Eigen::Index>(i); }

  Eigen::MatrixXd full;
  JacobianPattern pattern;
  std::vector<double> entries;
};

std::vector<double> RightHandSide(std::size_t n) {
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = std::cos(static_cast<double>(i + 1));
  return b;
}

// Backward stable: the residual is small beside |A| |x|, whatever the condition of A.
TEST(MaskedLuTest, SolvesSparseAndFullMatrices) {
  for (const double density : {0.05, 0.2, 0.6, 1.0}) {
    for (std::size_t n = 1; n <= MaskedLu::kMost; ++n) {
      MaskedLu lu(MaskedLu::kMost);
      const RandomMatrix J(n, density, 17 * n + static_cast<std::size_t>(100 * density));
      lu.Analyze(J.pattern);
      for (const double shift : {0.0, 0.3, 1e6}) {
        lu.Factor(shift, J.entries);
        const std::vector<double> b = RightHandSide(n);
        std::vector<double> x = b;
        lu.Solve(x.data());
        const Eigen::MatrixXd A =
            shift * Eigen::MatrixXd::Identity(RandomMatrix::N(n), RandomMatrix::N(n)) - J.full;
        const auto solution = Eigen::Map<const Eigen::VectorXd>(x.data(), RandomMatrix::N(n));
        const auto right = Eigen::Map<const Eigen::VectorXd>(b.data(), RandomMatrix::N(n));
        const Eigen::VectorXd residual = A * solution - right;
        const Eigen::VectorXd terms = A.cwiseAbs() * solution.cwiseAbs() + right.cwiseAbs();
        for (Eigen::Index i = 0; i < residual.size(); ++i) {
          // Pivots of 1e-3 may let entries grow a thousandfold in a step, and seldom in more than one.
          EXPECT_LE(std::abs(residual(i)), 1e-16 * 1e3 * 32 * terms.maxCoeff()) << n << ' ' << shift;
        }
      }
    }
  }
}

TEST(MaskedLuTest, TakesPivotsOffTheDiagonal) {
  const JacobianPattern pattern({{0, 1}, {0, 1, 2}, {1, 2}});
  MaskedLu lu(3);
  lu.Analyze(pattern);
  // [[0 1 0] [1 0 1] [0 -1 1]], negated, column by column.
  lu.Factor(0, {0, -1, -1, 0, 1, -1, -1});
  std::vector<double> b{2, 5, 1};
  lu.Solve(b.data());
  EXPECT_NEAR(b[0], 2, 1e-15);
  EXPECT_NEAR(b[1], 2, 1e-15);
  EXPECT_NEAR(b[2], 3, 1e-15);
}

TEST(MaskedLuTest, ASingularMatrixHasNoFiniteSolution) {
  MaskedLu lu(2);
  const JacobianPattern pattern({{0, 1}, {0, 1}});
  lu.Analyze(pattern);
  for (const std::vector<double>& entries : {std::vector<double>{0, 0, 0, 0}, {1, 2, 2, 4}, {0, 0, 1, 1}}) {
    lu.Factor(0, entries);
    std::vector<double> b{1, 1};
    lu.Solve(b.data());
    EXPECT_FALSE(std::isfinite(b[0]) && std::isfinite(b[1]));
  }
}

TEST(MaskedLuTest, AnotherOneFromItsMemorySolvesToTheBit) {
  const RandomMatrix J(20, 0.2, 5);
  MaskedLu lu(20), other(20);
  for (MaskedLu* each : {&lu, &other}) each->Analyze(J.pattern);
  lu.Factor(0.3, J.entries);
  Archive saved;
  saved(lu);
  Archive loaded(saved.Take());
  loaded(other);
  std::vector<double> x = RightHandSide(20), y = x;
  lu.Solve(x.data());
  other.Solve(y.data());
  EXPECT_EQ(x, y);
}

// A chain is factorised without fill: as many operations for each unknown, however many there are.
TEST(MaskedLuTest, OperationsOfAChainAreProportionalToItsLength) {
  const auto operations = [](std::uint32_t n) {
    std::vector<std::vector<std::uint32_t>> rows(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i > 0) rows[i].push_back(i - 1);
      rows[i].push_back(i);
      if (i + 1 < n) rows[i].push_back(i + 1);
    }
    const JacobianPattern pattern(std::move(rows));
    MaskedLu lu(n);
    lu.Analyze(pattern);
    return lu.Operations(1);
  };
  EXPECT_EQ(operations(30) - operations(20), operations(20) - operations(10));
}

}  // namespace
}  // namespace davit
