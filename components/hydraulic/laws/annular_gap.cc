#include "components/hydraulic/laws/annular_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace davit {
namespace {

constexpr double kInletLoss = 0.5;  // of a sharp edge
constexpr double kOutletLoss = 1;
constexpr double kEndLoss = kInletLoss + kOutletLoss;
constexpr double kExponent = 2 - 0.21;  // of q in the loss of the gap

/// The root q of gap*q^kExponent + ends*q^2 = drop > 0. Either part alone gives a bound; with w = q over the
/// smaller, g w^kExponent + e w^2 = 1. Newton iterations from w = 1, above the root, where the left side is
/// convex: they fall and do not overshoot.
double SolveFlow(double gap, double ends, double drop) {
  constexpr int kMostIterations = 30;
  const double q_ends = std::sqrt(drop / ends);
  const double q_gap = std::pow(drop / gap, 1 / kExponent);
  const double q_most = std::min(q_ends, q_gap);
  if (!(q_most > 0)) return 0;
  const double e = q_most / q_ends * (q_most / q_ends);
  const double g = std::pow(q_most / q_gap, kExponent);
  double w = 1;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double in_gap = g * std::pow(w, kExponent);
    const double at_ends = e * w * w;
    const double step = w * (in_gap + at_ends - 1) / (kExponent * in_gap + 2 * at_ends);
    w -= step;
    if (!(step > 1e-9 * w)) break;  // the next would be below rounding
  }
  return w * q_most;
}

}  // namespace

double AnnularGap::LaminarConductance(double mu) const {
  const double c = clearance;
  if (!(c > 0)) return 0;
  const double offset = eccentricity / c;
  return std::numbers::pi * diameter * c * c * c / (12 * mu * length) * (1 + 1.5 * offset * offset);
}

AnnularGap::TurbulentLoss AnnularGap::MakeTurbulentLoss(double rho, double nu) const {
  const double c = clearance;
  const double area = std::numbers::pi * c * (diameter - c);  // pi (r^2 - (r-c)^2)
  const double per_square = rho / (2 * area * area);
  const double Re_per_flow = 2 * c / (area * nu);
  const double xi = 0.316 * std::pow(Re_per_flow, -0.21) / (1 + 0.2 * eccentricity / c);
  return {xi * length / (2 * c) * per_square, kEndLoss * per_square};
}

double AnnularGap::TurbulentFlow(double dp, double rho, double nu) const {
  const double drop = std::abs(dp);
  if (!(clearance > 0) || !(drop > 0)) return 0;
  const TurbulentLoss loss = MakeTurbulentLoss(rho, nu);
  return std::copysign(SolveFlow(loss.gap, loss.ends, drop), dp);
}

double AnnularGap::CriticalDrop(double rho, double nu) const {
  const double G = LaminarConductance(rho * nu);
  if (!(G > 0)) return std::numeric_limits<double>::infinity();
  // At q = G dp: gap q^k + ends q^2 = q/G, so gap q^(k-1) + ends q = 1/G.
  const TurbulentLoss loss = MakeTurbulentLoss(rho, nu);
  // Newton iterations from either bound, above the root; the left side is concave, so the first may pass it.
  double q = std::min(1 / (G * loss.ends), std::pow(1 / (G * loss.gap), 1 / (kExponent - 1)));
  if (!std::isfinite(q)) return std::numeric_limits<double>::infinity();
  constexpr int kMostIterations = 30;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double in_gap = loss.gap * std::pow(q, kExponent - 1);
    const double step = q * (in_gap + loss.ends * q - 1 / G) / ((kExponent - 1) * in_gap + loss.ends * q);
    q -= step;
    if (!(std::abs(step) > 1e-12 * q)) break;
  }
  return q / G;
}

FlowAndSlope AnnularGap::FlowWithSlope(double dp, double rho, double nu) const {
  const double G = LaminarConductance(rho * nu);
  const double turbulent = TurbulentFlow(dp, rho, nu);
  // Turbulent flow that is too small for a number is larger than laminar flow.
  if (G * std::abs(dp) <= std::abs(turbulent) || turbulent == 0) return {G * dp, G};
  const TurbulentLoss loss = MakeTurbulentLoss(rho, nu);
  const double q = std::abs(turbulent);
  return {turbulent, 1 / (kExponent * loss.gap * std::pow(q, kExponent - 1) + 2 * loss.ends * q)};
}

}  // namespace davit
