#include "components/hydraulic/restriction.h"

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"

namespace davit {

void Restriction::Configure(Diagnostics& diagnostics) {
  if (law != Law::kAnnularGap) return;
  if (eccentricity > clearance) {
    diagnostics.Error(
        location(), DisplayPath(),
        "eccentricity is larger than clearance: the piston would reach into the wall; give at most "
        "the clearance");
  }
  if (2 * clearance > diameter) {
    diagnostics.Error(location(), DisplayPath(),
                      "clearance is larger than half the diameter; give the radial gap round the piston");
  }
}

void Restriction::ParametersChanged() {
  law_ = law;
  const double A = CircleArea(diameter);
  K_ = OrificeCoefficient(discharge_coefficient, A, density);
  orifice_ = {laminar_coefficient, discharge_coefficient, density, kinematic_viscosity};
  // Nothing flows through a hole of diameter 0, whatever its law.
  if (diameter > 0) tube_ = {diameter, length, density, kinematic_viscosity};
  // Commands during the run may contradict each other where a file may not.
  const double c = std::min<double>(clearance, diameter / 2);
  gap_ = {.diameter = diameter,
          .clearance = c,
          .length = length,
          .eccentricity = std::min<double>(eccentricity, c)};
  has_cavitation_ = cavitation == JetCavitation::kNurick && law_ != Law::kAnnularGap && A > 0;
  jet_ = {A, density, vapour.p_vapour()};
}

double Restriction::LawFlow(double dc, double Zs) const {
  if (!(diameter > 0)) return 0;
  switch (law_) {
    case Law::kTurbulent: return OrificeFlow(K_, dc, Zs);
    case Law::kLaminarTurbulent: return orifice_.Flow(K_, dc, Zs);
    case Law::kShortTube:
      return Zs > 0 ? SolveRestriction(dc, Zs, [this](double drop) { return tube_.FlowWithSlope(drop); })
                    : tube_.Flow(dc);
    case Law::kAnnularGap: {
      const auto gap_law = [this](double drop) {
        return gap_.FlowWithSlope(drop, density, kinematic_viscosity);
      };
      return Zs > 0 ? SolveRestriction(dc, Zs, gap_law) : gap_law(dc).q;
    }
  }
  return 0;
}

Restriction::Regime Restriction::RegimeAt(Regime now) const {
  constexpr double kBack = 0.9;  // of a limit that was passed
  constexpr double kRounding = 1e-9;
  const double flow = std::abs(q);
  if (has_cavitation_ && flow > 0) {
    const double limit = jet_.Flow(q > 0 ? PortWave{a->c, a->Zc} : PortWave{b->c, b->Zc});
    if (flow >= (now == Regime::kCavitating ? 0.99 : 1 - kRounding) * limit) return Regime::kCavitating;
  }
  if (law_ == Law::kTurbulent) return Regime::kTurbulent;
  if (law_ == Law::kAnnularGap) {
    const double laminar = gap_.LaminarConductance(density * kinematic_viscosity) * std::abs(dp);
    return flow >= (now == Regime::kLaminar ? 0.99 : 1 - kRounding) * laminar ? Regime::kLaminar
                                                                              : Regime::kTurbulent;
  }
  // Of the flow, by Re = 4 q/(pi D nu).
  constexpr double kLaminarEndOfTube = 50;  // D Re/L
  const double Re = law_ == Law::kShortTube
                        ? (diameter > 0 ? kLaminarEndOfTube * length / diameter : 0)
                        : laminar_coefficient * discharge_coefficient * discharge_coefficient;
  const double limit = Re * std::numbers::pi / 4 * diameter * kinematic_viscosity;
  return flow >= (now == Regime::kLaminar ? 1 : kBack) * limit && flow > 0 ? Regime::kTurbulent
                                                                           : Regime::kLaminar;
}

}  // namespace davit
