#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "components/hydraulic/laws/solve_restriction.h"
#include "framework/domains/hydraulic.h"

namespace davit {

/// How close port pressures come to the solution of p = c + Zc q: relative to the largest of them.
inline constexpr double kPortTolerance = 1e-12;
inline constexpr int kMostPortIterations = 40;

/// The port pressures of a Q component whose law is q = Law(p), where its neighbours offer p_i = c_i + Zc_i
/// q_i.
///
/// For laws that are not restrictions between two ports (SolveRestriction) or networks of orifices
/// (SolveOrifices), which are solved faster and closer. `law` maps a std::array of N pressures [Pa] to N
/// flows into the C components [m3/s]. Where all Zc are 0, p = c and nothing is solved. Otherwise damped
/// Newton iterations with a difference Jacobian, beginning at `p`. Fixed memory. Returns false if
/// kMostPortIterations do not reach kPortTolerance; p is then the last iterate.
template <std::size_t N, class Law>
[[nodiscard]] bool SolvePorts(const std::array<const HydraulicBond*, N>& bonds, std::array<double, N>& p,
                              Law&& law) {
  static_assert(N <= 8);
  bool is_direct = true;
  for (std::size_t i = 0; i < N; ++i) {
    if (bonds[i]->Zc > 0) {
      is_direct = false;
    } else {
      p[i] = bonds[i]->c;
    }
  }
  if (is_direct) return true;
  constexpr int kSize = static_cast<int>(N);
  using Vector = Eigen::Matrix<double, kSize, 1>;
  using Matrix = Eigen::Matrix<double, kSize, kSize>;
  const auto residual = [&](const std::array<double, N>& at) {
    const std::array<double, N> q = law(at);
    Vector r;
    for (std::size_t i = 0; i < N; ++i) {
      r[static_cast<int>(i)] = at[i] - std::max(bonds[i]->p_min, bonds[i]->c + bonds[i]->Zc * q[i]);
    }
    return r;
  };
  Vector r = residual(p);
  for (int iteration = 0; iteration < kMostPortIterations; ++iteration) {
    Matrix jacobian;
    double size = 1;  // [Pa]
    for (std::size_t j = 0; j < N; ++j) {
      std::array<double, N> shifted = p;
      shifted[j] += 1e-7 * std::max(std::abs(p[j]), 1e3);
      jacobian.col(static_cast<int>(j)) = (residual(shifted) - r) / (shifted[j] - p[j]);
      size = std::max({size, std::abs(bonds[j]->c), std::abs(p[j])});
    }
    const Eigen::PartialPivLU<Matrix> lu(jacobian);
    const Vector step = lu.solve(r);
    const bool is_last = step.cwiseAbs().maxCoeff() <= kPortTolerance * size;
    double damping = 1;
    std::array<double, N> next = p;
    Vector r_next = r;
    for (int halving = 0; halving < 8; ++halving, damping /= 2) {
      for (std::size_t i = 0; i < N; ++i) next[i] = p[i] - damping * step[static_cast<int>(i)];
      r_next = residual(next);
      // The remaining distance must shrink (Deuflhard's natural test): residuals of steep laws say little.
      if (is_last || lu.solve(r_next).norm() <= (1 - damping / 4) * step.norm()) break;
    }
    p = next;
    r = r_next;
    if (is_last) return true;
  }
  return false;
}

}  // namespace davit
