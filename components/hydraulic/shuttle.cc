#include "components/hydraulic/shuttle.h"

#include "components/hydraulic/laws/solve_opening.h"
#include "components/hydraulic/laws/solve_orifices.h"

namespace davit {

void Shuttle::ParametersChanged() { K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop); }

void Shuttle::EvaluateDiffEquations(double t) {
  const std::array<HydraulicBond, 3> bonds{*a, *b, *out};
  std::array<OrificeBetweenPorts, 2> ways{OrificeBetweenPorts{.from = 0, .to = 2, .K = 0},
                                          OrificeBetweenPorts{.from = 1, .to = 2, .K = 0}};
  const auto flow_at = [&](double r_a) {
    ways[0].K = K_ * r_a;
    ways[1].K = K_ * (1 - r_a);
    if (!SolveOrifices(bonds, ways)) FailEvaluation(t, "its pressures are not finite numbers");
    a->q = -ways[0].q;
    b->q = -ways[1].q;
  };
  const auto opening_at = [&](double r_a) {
    flow_at(r_a);
    return OpeningOfA(a->p(), b->p());
  };
  // Without impedances, the flow does not move the ball.
  flow_at(a->Zc > 0 || b->Zc > 0 ? SolveOpening(opening_at) : opening_at(0));
  q = ways[0].q + ways[1].q;
  out->q = q;
}

}  // namespace davit
