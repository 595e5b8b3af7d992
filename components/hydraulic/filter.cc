#include "components/hydraulic/filter.h"

#include "components/hydraulic/laws/solve_restriction.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"

namespace davit {

void Filter::ParametersChanged() {
  laminar_loss_ = laminar_share * nominal_pressure_drop / nominal_flow;
  turbulent_loss_ = (1 - laminar_share) * nominal_pressure_drop / (nominal_flow * nominal_flow);
  K_bypass_ = NominalOrificeCoefficient(nominal_flow, bypass_pressure + bypass_range);
}

double Filter::ElementFlow(double dc, double Zs) const {
  const double open = 1 - std::clamp<double>(clogging, 0, 1);
  if (!(open > 0)) return 0;
  return building_blocks::LaminarTurbulentFlow(laminar_loss_ / open, turbulent_loss_ / (open * open), dc, Zs);
}

double Filter::Flow(double dc, double Zs) const {
  const double alone = ElementFlow(dc, Zs);
  if (dc - Zs * alone <= bypass_pressure) return alone;
  const auto both = [this](double drop) { return ElementFlow(drop, 0) + BypassFlow(drop); };
  if (!(Zs > 0)) return both(dc);
  return SolveRestriction(dc, Zs, [&](double drop) { return WithQuotient(both, drop); });
}

}  // namespace davit
