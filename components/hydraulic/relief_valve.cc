#include "components/hydraulic/relief_valve.h"

#include <numbers>

namespace davit {

void ReliefValve::Configure(Diagnostics& /*diagnostics*/) {
  has_spool_ = dynamics == Dynamics::kFirstOrder;
  SetStateActive(spool, has_spool_);
}

void ReliefValve::EvaluateSpool() {
  const double r = Clip(spool);
  const double q_out =
      FlowBetween(*in, *out, [&](const PortWave& at_in, const PortWave& at_out) {
        return Limited(OrificeFlow(K_ * r, at_in.c - at_out.c, at_in.Zc + at_out.Zc), at_in, at_out);
      }).q;
  q = q_out;
  in->q = -q_out;
  out->q = q_out;
  spool.ddt = (RestOpening(ControlPressure()) - spool) / spool_time;
}

void ReliefValve::ParametersChanged() {
  const double area = std::numbers::pi / 4 * seat_diameter * seat_diameter;
  K_ = OrificeCoefficient(discharge_coefficient, area, density);
  per_opening_range_ = 1 / opening_range;
  jet_ =
      cavitation == JetCavitation::kNurick ? JetLimit(discharge_coefficient, vapour.p_vapour()) : JetLimit();
}

double ReliefValve::ReturnFlow(double rise, double dc, double Zc_in, double Zs) const {
  // -q(dp) is concave between dc and 0, so there is one solution although q need not grow with dp.
  const double share = Zc_in / Zs;
  return SolveRestriction(dc, Zs, [&](double dp) {
    const double r = (rise + share * (dp - dc)) * per_opening_range_;
    const FlowAndSlope full = OrificeFlowAndSlope(K_, dp);
    if (r >= 1) return full;
    return FlowAndSlope{r * full.q, r * full.slope + share * per_opening_range_ * full.q};
  });
}

}  // namespace davit
