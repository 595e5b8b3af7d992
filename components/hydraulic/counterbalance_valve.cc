#include "components/hydraulic/counterbalance_valve.h"

#include <algorithm>

#include "components/hydraulic/laws/solve_restriction.h"

namespace davit {

void CounterbalanceValve::Configure(Diagnostics& diagnostics) {
  if (!(pilot_full_pressure > pilot_open_pressure)) {
    diagnostics.Error(location(), DisplayPath(),
                      "pilot_full_pressure is not above pilot_open_pressure; give a larger one");
  }
  if (2 * piston_clearance > piston_diameter) {
    diagnostics.Error(
        location(), DisplayPath(),
        "piston_clearance is larger than half of piston_diameter; give the radial gap round the "
        "piston");
  }
}

void CounterbalanceValve::ParametersChanged() {
  law_ = opening_law;
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  per_pilot_range_ = 1 / pilot_range;
  // A command during the run may bring both pressures together: the return opens over 1 Pa then.
  full_pressure_ = std::max<double>(pilot_full_pressure, pilot_open_pressure + 1);
  per_check_range_ = 1 / check_full_pressure;
  per_load_range_ = 1 / load_full_pressure;
  flow_law_ = flow_law;
  const AnnularGap gap{.diameter = piston_diameter,
                       .clearance = std::min<double>(piston_clearance, piston_diameter / 2),
                       .length = piston_land,
                       .eccentricity = piston_eccentricity * piston_clearance};
  gap_conductance_ = gap.LaminarConductance(density * kinematic_viscosity);
  switch (leakage) {
    case Leakage::kNone: leak_ = EdgeLeak(); break;
    case Leakage::kConstant: leak_ = EdgeLeak(leakage_conductance); break;
    case Leakage::kGap: leak_ = EdgeLeak(gap, density, kinematic_viscosity); break;
  }
  jet_ =
      cavitation == JetCavitation::kNurick ? JetLimit(discharge_coefficient, vapour.p_vapour()) : JetLimit();
  has_piston_ = piston == Piston::kSecondOrder;
  forces_ = {
      .p_set = set_pressure, .psi = pilot_ratio, .k_back = back_pressure_share, .dp_range = balance_range};
  seat_ = {.type = seat_type, .diameter = disc_diameter, .cone_angle = cone_angle};
  full_lift_ = seat_.FullLift();
  flow_per_area_ = OrificeCoefficient(1, 1, density);
  round_opening_ = {laminar_coefficient, kSharpEdgeDischargeCoefficient, density, kinematic_viscosity};
  pilot->q = 0;
}

SeatLosses CounterbalanceValve::Losses(double r) const {
  if (has_seat()) {
    const double lift = r * full_lift_;
    return SeatLosses::Of(laminar_coefficient, seat_.OpeningArea(lift), seat_.WettedLength(lift),
                          seat_.FlowArea(lift), density, kinematic_viscosity);
  }
  const double K = Coefficient(r);
  return {round_opening_.LaminarResistance(K), 1 / (K * K)};
}

FlowRegime CounterbalanceValve::SeatRegime(FlowRegime now) const {
  if (!has_laminar_flow() || !(opening > 0)) return FlowRegime::kTurbulent;
  const double through = std::abs(q - leak_.Flow(a->p() - c->p()));
  return FlowRegimeOf(through, Losses(opening).LaminarEnd(), kNever, now);
}

void CounterbalanceValve::AspectsChanged(AspectSwitch& change) {
  if (change.Before(opening_law) == OpeningLaw::kRamp && opening_law != OpeningLaw::kRamp) {
    xf.OverrideStateValue(std::max(pilot->p_min, pilot->c));
  }
  if (change.HasChanged(piston) && has_piston_) {
    const double seen =
        law_ == OpeningLaw::kRamp ? std::max(pilot->p_min, pilot->c) : static_cast<double>(xf);
    x.OverrideStateValue(ReturnOpening(a->p(), c->p(), seen));
    v.OverrideStateValue(0);
  }
}

bool CounterbalanceValve::WritePartials(PartialDerivatives& partials) const {
  if (stuck.is_stuck() || has_piston_ || has_laminar_flow() || jet_.is_present() ||
      !leak_.IsLaminar(a->c - c->c) || is_opened_by_load() || a->Zc > 0 || c->Zc > 0 || a->c < a->p_min ||
      c->c < c->p_min) {
    return false;
  }
  const bool is_filtered = law_ != OpeningLaw::kRamp;
  const double dp = a->c - c->c;
  const double r = opening;
  const bool is_check = dp > 0;
  // The opening by dp or by the pilot pressure behind the low-pass; it is limited to 0 .. 1.
  const bool is_partial = r > 0 && r < 1;
  const double r_dp = is_partial && is_check && law_ == OpeningLaw::kSeat ? per_check_range_ : 0;
  const double r_pilot = !is_partial || is_check ? 0
                         : is_filtered           ? 1 / (full_pressure_ - pilot_open_pressure)
                                                 : per_pilot_range_;
  double q_r = 0, q_dp = leak_.conductance();
  if (r > 0) {
    const FlowAndSlope per_K = OrificeFlowAndSlope(1, dp);
    const double h = 1e-6 * r;
    const double K_r = law_ == OpeningLaw::kSeat ? (Coefficient(r + h) - Coefficient(r - h)) / (2 * h) : K_;
    q_r = K_r * per_K.q;
    q_dp += Coefficient(r) * per_K.slope + q_r * r_dp;
  }
  const double pilot_c = pilot->c > pilot->p_min ? 1 : 0;
  const auto set = [&](const PartialDerivatives::Variable& written, double by_dp, double by_pilot) {
    partials.Set(written, &a->c, by_dp);
    partials.Set(written, &c->c, -by_dp);
    if (is_filtered) {
      partials.Set(written, xf, by_pilot);
    } else {
      partials.Set(written, &pilot->c, by_pilot * pilot_c);
    }
  };
  set(&a->q, -q_dp, -q_r * r_pilot);
  set(&c->q, q_dp, q_r * r_pilot);
  set(q, q_dp, q_r * r_pilot);
  set(opening, r_dp, r_pilot);
  if (is_filtered) {
    const double w = 2 * std::numbers::pi * pilot_frequency;
    partials.Set(xf, &pilot->c, w * pilot_c);
    partials.Set(xf, xf, -w);
  }
  return true;
}

double CounterbalanceValve::SolveFlow(const PortWave& at_a, const PortWave& at_c, double p_pilot,
                                      double& r) const {
  const double dc = at_a.c - at_c.c;
  const double Zs = at_a.Zc + at_c.Zc;
  // The flow grows with dp: with it the check valve opens, and with its return flow the load pressure that
  // holds the return open falls.
  const auto law = [&](double dp) {
    const double q_ac = (dc - dp) / Zs;
    const double p_a = at_a.c - at_a.Zc * q_ac, p_c = at_c.c + at_c.Zc * q_ac;
    r = dp > 0 ? Opening(dp, 0, p_pilot) : ReturnInForce(p_a, p_c, p_pilot);
    if (!jet_.is_present() || !(r > 0)) return Flow(r, dp, 0);
    return Limited(r, SeatFlow(r, dp), {p_a, 0}, {p_c, 0}) + leak_.Flow(dp);
  };
  const double q_ac = SolveRestriction(dc, Zs, [&](double dp) { return WithQuotient(law, dp); });
  law(dc - Zs * q_ac);  // for r
  return q_ac;
}

}  // namespace davit
