#include "components/hydraulic/laws/short_tube.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"

namespace davit {
namespace {

constexpr double kLowerEnd = 50;  // D Re/L
constexpr double kLowerLoss = 2.163;
constexpr double kUpperLoss = 1.5;
constexpr double kUpperTransition = 13.74;

}  // namespace

ShortTube::ShortTube(double D, double L, double rho, double nu) {
  const double A = CircleArea(D);
  const double per_square = rho / (2 * A * A);
  a_ = 64 * L / D * std::numbers::pi * D * nu / 4 * per_square;
  b_ = kLowerLoss * per_square;
  q_end_ = kLowerEnd * L * std::numbers::pi * nu / 4;
  turbulent_ = kUpperLoss * per_square;
  transitional_ = kUpperTransition * std::sqrt(std::numbers::pi * nu * L / 4) * per_square;
}

FlowAndSlope ShortTube::FlowWithSlope(double dp) const {
  const double drop = std::abs(dp);
  const double q_lower = building_blocks::LaminarTurbulentFlow(a_, b_, drop, 0);
  if (q_lower < q_end_) return {std::copysign(q_lower, dp), 1 / (a_ + 2 * b_ * q_lower)};
  const double q = TurbulentFlow(drop);
  if (q < q_end_) return {std::copysign(q_end_, dp), 0};
  return {std::copysign(q, dp), 1 / (2 * turbulent_ * q + 1.5 * transitional_ * std::sqrt(q))};
}

/// With w^2 = q sqrt(turbulent_/drop) the law is w^4 + m w^3 = 1. Newton iterations from w = 1, above the
/// root, where the left side is convex: they fall and do not overshoot.
double ShortTube::TurbulentFlow(double drop) const {
  constexpr int kMostIterations = 20;
  const double q_largest = std::sqrt(drop / turbulent_);
  if (!(q_largest > 0)) return 0;
  const double m = transitional_ / (turbulent_ * std::sqrt(q_largest));
  double w = 1;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double square = w * w;
    const double step = (square * w * (w + m) - 1) / (square * (4 * w + 3 * m));
    w -= step;
    if (!(step > 1e-9 * w)) break;  // the next would be below rounding
  }
  return w * w * q_largest;
}

}  // namespace davit
