#include "components/hydraulic/annular_gap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit {
namespace {

constexpr double kEntryLoss = 1.5;
constexpr double kExponent = 2 - 0.21;  // of q in the loss of the gap

/// The root q of gap*q^kExponent + entry*q^2 = drop: Newton iterations from above, where the left side is
/// convex, so that they fall and do not overshoot. drop > 0.
double SolveFlow(double gap, double entry, double drop) {
  constexpr int kMostIterations = 30;
  double q = std::min(std::sqrt(drop / entry), std::pow(drop / gap, 1 / kExponent));
  for (int iteration = 0; iteration < kMostIterations && q > 0; ++iteration) {
    const double in_gap = gap * std::pow(q, kExponent);
    const double at_entry = entry * q * q;
    const double step = q * (in_gap + at_entry - drop) / (kExponent * in_gap + 2 * at_entry);
    q -= step;
    if (!(step > 1e-9 * q)) break;  // the next would be below rounding
  }
  return q;
}

}  // namespace

double AnnularGap::LaminarConductance(double mu) const {
  const double c = clearance;
  if (!(c > 0)) return 0;
  const double offset = eccentricity / c;
  return std::numbers::pi * diameter * c * c * c / (12 * mu * length) * (1 + 1.5 * offset * offset);
}

double AnnularGap::TurbulentFlow(double dp, double rho, double nu) const {
  const double c = clearance;
  const double drop = std::abs(dp);
  if (!(c > 0) || !(drop > 0)) return 0;
  const double area = std::numbers::pi * c * (diameter - c);  // pi (r^2 - (r-c)^2)
  const double entry = kEntryLoss * rho / (2 * area * area);
  const double Re_per_flow = 2 * c / (area * nu);
  const double gap = 0.316 * std::pow(Re_per_flow, -0.21) / (1 + 0.2 * eccentricity / c) * length / (2 * c) *
                     rho / (2 * area * area);
  return std::copysign(SolveFlow(gap, entry, drop), dp);
}

double AnnularGap::Flow(double dp, double rho, double nu) const {
  const double laminar = LaminarConductance(rho * nu) * std::abs(dp);
  return std::copysign(std::min(laminar, std::abs(TurbulentFlow(dp, rho, nu))), dp);
}

}  // namespace davit
