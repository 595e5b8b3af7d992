#pragma once

#include <algorithm>

#include "components/hydraulic/orifice_law.h"
#include "components/hydraulic/tearing_ends.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Holds a load: free flow towards the cylinder, back only when the pilot pressure opens it.
class CounterbalanceValve final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.CounterbalanceValve",
      "Counterbalance valve: check valve and piloted return",
      {Level::kIdeal},
      "dp = p_a - p_c,  q positive from a (valve side) to c (cylinder side)\n"
      "Ideal:  dp > 0: r = 1 (check valve)\n"
      "        dp <= 0: r = clip((p_pilot - pilot_open_pressure)/pilot_range)\n"
      "q = r*K*dp/(dp^2 + d^2)^(1/4),  K = nominal_flow/sqrt(nominal_pressure_drop),  d = 1e4 Pa\n"
      "clip limits to 0 .. 1. The pilot takes no flow. The load pressure does not open the valve: there\n"
      "is no relief function at this level. Between waves p = c + Zc*q is solved along with the law.\n"};

  CounterbalanceValve();

  void ParametersChanged() override;

  /// Opening of the return path, 0 .. 1, at the pilot pressure [Pa].
  double ReturnOpening(double p_pilot) const {
    return Clip((p_pilot - pilot_open_pressure) * per_pilot_range_);
  }
  /// Opening at the port pressures [Pa].
  double Opening(double p_a, double p_c, double p_pilot) const {
    return p_a > p_c ? 1.0 : ReturnOpening(p_pilot);
  }
  /// Flow [m3/s] from a to c through an opening r at the port pressures [Pa].
  double Flow(double r, double p_a, double p_c) const { return r > 0 ? OrificeFlow(K_ * r, p_a - p_c) : 0; }

  void EvaluateDiffEquations(double /*t*/) override {
    // The pilot takes no flow; and dp = dc - (Zc_a + Zc_c)*q has the sign of dc = c_a - c_c.
    const double p_pilot = std::max(pilot->p_min, pilot->c);
    double r = 0;
    const double q_ac = FlowBetween(*a, *c, [&](const PortWave& at_a, const PortWave& at_c) {
                          r = Opening(at_a.c, at_c.c, p_pilot);
                          return r > 0 ? OrificeFlow(K_ * r, at_a.c - at_c.c, at_a.Zc + at_c.Zc) : 0;
                        }).q;
    opening = r;
    q = q_ac;
    a->q = -q_ac;
    c->q = q_ac;
  }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Valve side"};
  HydraulicPort c{this, "c", Role::kQ, "Cylinder side"};
  HydraulicPort pilot{this, "pilot", Role::kQ, "Pilot line; takes no flow"};
  Parameter nominal_flow{this,      "nominal_flow",
                         "m3/s",    "Flow through the open valve at the nominal pressure drop",
                         140 / 6e4, kPositive};
  Parameter nominal_pressure_drop{
      this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow", 5e5, kPositive};
  Parameter pilot_open_pressure{this, "pilot_open_pressure",
                                "Pa", "Pilot pressure at which the return begins to open",
                                25e5, kNonNegative};
  Parameter pilot_range{this, "pilot_range",
                        "Pa", "Rise of the pilot pressure from shut to fully open; counts at Ideal",
                        5e5,  kPositive};
  Parameter pilot_full_pressure{
      this,  "pilot_full_pressure",
      "Pa",  "Pilot pressure at which the return is fully open; counts from Standard on",
      250e5, kPositive};
  Parameter pilot_frequency{
      this, "pilot_frequency",
      "Hz", "Corner frequency of the pilot stage (real spools: 5 to 50 Hz); counts from Standard on",
      0.4,  kPositive};
  Parameter leakage{this,  "leakage",   "m3/s/Pa", "Conductance of the shut valve; counts from Standard on",
                    1e-16, kNonNegative};
  Parameter disc_diameter{this,  "disc_diameter", "m", "Diameter of the valve disc; counts at Advanced",
                          0.025, kPositive};
  Parameter check_full_pressure{
      this, "check_full_pressure",
      "Pa", "Pressure drop at which the check valve is fully open; counts at Advanced",
      5e5,  kPositive};
  Parameter density{this, "density", "kg/m3", "Density of the oil; counts at Advanced", 861.8, kPositive};
  Output q{this, "q", "m3/s", "Flow from a to c"};
  Output opening{this, "opening", "", "Opening, 0 shut to 1 full"};

  double K_ = 0;                // fully open [m3/s/sqrt(Pa)]
  double per_pilot_range_ = 0;  // [1/Pa]
};

}  // namespace davit
