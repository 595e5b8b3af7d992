#include "components/hydraulic/flow_divider.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/solve_opening.h"
#include "components/hydraulic/laws/solve_orifices.h"

namespace davit {
namespace {

double InSeries(double K_1, double K_2) { return K_2 > 0 ? K_1 * K_2 / std::hypot(K_1, K_2) : 0; }

/// Across a metering orifice in the direction in which the valve divides.
double MeteredDrop(double q, double K) { return q > 0 ? (q / K) * (q / K) : 0; }

}  // namespace

void FlowDivider::ParametersChanged() {
  const double K = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  K_ma_ = share * K;
  K_mb_ = (1 - share) * K;
}

void FlowDivider::EvaluateDiffEquations(double t) {
  const std::array<HydraulicBond, 3> bonds{*in, *a, *b};
  std::array<OrificeBetweenPorts, 2> ways{OrificeBetweenPorts{.from = 0, .to = 1, .K = 0},
                                          OrificeBetweenPorts{.from = 0, .to = 2, .K = 0}};
  // r = (1 + y)/2, by which a side opens and the other one shuts.
  const auto opening_at = [&](double r) {
    ways[0].K = InSeries(K_ma_, 2 * r * K_ma_);
    ways[1].K = InSeries(K_mb_, 2 * (1 - r) * K_mb_);
    if (!SolveOrifices(bonds, ways)) FailEvaluation(t, "its pressures are not finite numbers");
    const double y = (MeteredDrop(ways[1].q, K_mb_) - MeteredDrop(ways[0].q, K_ma_)) / control_range;
    return (1 + std::clamp(y, -1.0, 1.0)) / 2;
  };
  const double r = SolveOpening(opening_at);
  opening_at(r);
  q_a = ways[0].q;
  q_b = ways[1].q;
  travel = 2 * r - 1;
  in->q = -(q_a + q_b);
  a->q = q_a;
  b->q = q_b;
}

}  // namespace davit
