#include "components/hydraulic/flow_control_valve.h"

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/solve_opening.h"
#include "components/hydraulic/laws/solve_orifices.h"

namespace davit {

void FlowControlValve::ParametersChanged() {
  K_c_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  K_per_flow_ = 1 / std::sqrt(control_pressure);
}

void FlowControlValve::EvaluateDiffEquations(double t) {
  const double K = std::max<double>(flow, 0) * K_per_flow_;
  bypass.is_connected() ? EvaluateBypass(t, K) : EvaluateSeries(t, K);
}

void FlowControlValve::EvaluateSeries(double t, double K) {
  const std::array<HydraulicBond, 2> bonds{*in, *out};
  std::array<OrificeBetweenPorts, 1> way{OrificeBetweenPorts{.from = 0, .to = 1, .K = 0}};
  const auto opening_at = [&](double opening) {
    const double rest = opening * K_c_;
    way[0].K = K > 0 && rest > 0 ? K * rest / std::hypot(K, rest) : 0;
    if (!SolveOrifices(bonds, way)) FailEvaluation(t, "its pressures are not finite numbers");
    in->q = -way[0].q;
    out->q = way[0].q;
    const double share = K > 0 ? way[0].K / K : 0;
    return 1 - Travel((in->p() - out->p()) * share * share);
  };
  const double opening = SolveOpening(opening_at);
  opening_at(opening);
  travel = 1 - opening;
  q = way[0].q;
  q_bypass = 0;
}

void FlowControlValve::EvaluateBypass(double t, double K) {
  const std::array<HydraulicBond, 3> bonds{*in, *out, *bypass};
  std::array<OrificeBetweenPorts, 2> ways{OrificeBetweenPorts{.from = 0, .to = 1, .K = K},
                                          OrificeBetweenPorts{.from = 0, .to = 2, .K = 0}};
  const auto travel_at = [&](double y) {
    ways[1].K = y * K_c_;
    if (!SolveOrifices(bonds, ways)) FailEvaluation(t, "its pressures are not finite numbers");
    in->q = -ways[0].q - ways[1].q;
    out->q = ways[0].q;
    bypass->q = ways[1].q;
    return Travel(in->p() - out->p());
  };
  // Without an impedance at its inlet and outlet, the flow does not move the compensator.
  const double y = in->Zc > 0 || out->Zc > 0 ? SolveOpening(travel_at) : travel_at(0);
  travel_at(y);
  travel = y;
  q = ways[0].q;
  q_bypass = ways[1].q;
}

}  // namespace davit
