#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "framework/bond.h"

namespace davit {

/// How close port pressures come to p = c + Zc q: relative to the largest of them.
inline constexpr double kPortTolerance = 1e-12;
inline constexpr int kMostPortIterations = 10;

/// The port pressures of a Q component whose law is q = Law(p), where its neighbours offer p_i = c_i + Zc_i q_i.
///
/// `law` maps a std::array of N pressures [Pa] to N flows into the C components [m3/s]. Where all Zc are 0, p = c and
/// nothing is solved. Otherwise damped Newton iterations with a difference Jacobian, beginning at `p`, the pressures of
/// the last call. Fixed memory. Returns false if kMostPortIterations do not reach kPortTolerance; p is then the last
/// iterate.
template <std::size_t N, class Law>
[[nodiscard]] bool SolvePorts(const std::array<const HydraulicBond*, N>& bonds, std::array<double, N>& p, Law&& law) {
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
    for (std::size_t i = 0; i < N; ++i) r[static_cast<int>(i)] = at[i] - bonds[i]->c - bonds[i]->Zc * q[i];
    return r;
  };
  double scale = 1;  // [Pa]
  for (const HydraulicBond* bond : bonds) scale = std::max(scale, std::abs(bond->c));
  Vector r = residual(p);
  for (int iteration = 0; iteration < kMostPortIterations; ++iteration) {
    Matrix jacobian;
    for (std::size_t j = 0; j < N; ++j) {
      std::array<double, N> shifted = p;
      shifted[j] += 1e-7 * std::max(std::abs(p[j]), 1e3);
      jacobian.col(static_cast<int>(j)) = (residual(shifted) - r) / (shifted[j] - p[j]);
    }
    const Vector step = jacobian.partialPivLu().solve(r);
    double damping = 1;
    std::array<double, N> next = p;
    Vector r_next = r;
    for (int halving = 0; halving < 8; ++halving, damping /= 2) {
      for (std::size_t i = 0; i < N; ++i) next[i] = p[i] - damping * step[static_cast<int>(i)];
      r_next = residual(next);
      if (r_next.squaredNorm() < r.squaredNorm()) break;
    }
    p = next;
    r = r_next;
    const double size = std::max(scale, std::abs(*std::max_element(p.begin(), p.end())));
    if (r.cwiseAbs().maxCoeff() <= kPortTolerance * size) return true;
  }
  return false;
}

/// A flow [m3/s] and its slope over the pressure difference [m3/s/Pa].
struct FlowAndSlope {
  double q;
  double slope;
};

/// The pressure difference [Pa] over a restriction between two waves: dp + Zs*q(dp) = dc, with dc = c1 - c2 and
/// Zs = Zc1 + Zc2. `law` gives q and dq/ddp and must not fall with dp, so there is one solution, between 0 and dc where
/// q(0) = 0. Newton iterations beginning at `dp`, kept inside the bracket.
template <class Law>
double SolveRestriction(double dc, double Zs, double dp, Law&& law) {
  double low = std::min(dc, 0.0);
  double high = std::max(dc, 0.0);
  dp = std::clamp(dp, low, high);
  for (int iteration = 0; iteration < 4 * kMostPortIterations; ++iteration) {
    const FlowAndSlope flow = law(dp);
    const double residual = dp + Zs * flow.q - dc;
    if (residual > 0) {
      high = dp;
    } else {
      low = dp;
    }
    double next = dp - residual / (1 + Zs * flow.slope);
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    const double change = std::abs(next - dp);
    dp = next;
    if (change <= 1e-13 * std::abs(dp) + 1e-9) break;
  }
  return dp;
}

}  // namespace davit
