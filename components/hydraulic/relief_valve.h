#pragma once

#include "components/hydraulic/orifice_law.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Opens above a set pressure at its inlet.
class ReliefValve final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{"hydraulic.ReliefValve",
                                   "Pressure relief valve without dynamics",
                                   {},
                                   "r = clip((p_in - p_set)/dp_open),  A = pi/4*D^2,  dp = p_in - p_out\n"
                                   "q = r*K*dp/(dp^2 + d^2)^(1/4),  K = Cd*A*sqrt(2/rho),  d = 1e4 Pa\n"
                                   "clip limits to 0 .. 1. q is positive from in to out. Shut up to p_set.\n"
                                   "Cd is 0.6 to 0.7 for a real seat.\n"};

  ReliefValve();

  void ParametersChanged() override;

  /// Flow [m3/s] from in to out at the port pressures [Pa].
  double Flow(double p_in, double p_out) const {
    if (p_in <= set_pressure) return 0;
    return OrificeFlow(K_ * Clip((p_in - set_pressure) * per_opening_range_), p_in - p_out);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    q = Flow(in->c, out->c);
    in->q = -q;
    out->q = q;
  }

 private:
  HydraulicPort in{this, "in", Role::kQ, "Side whose pressure is limited"};
  HydraulicPort out{this, "out", Role::kQ, "Side the relieved oil goes to"};
  Parameter set_pressure{this,  "set_pressure", "Pa", "Inlet pressure at which it begins to open",
                         350e5, kNonNegative};
  Parameter opening_range{this, "opening_range", "Pa", "Rise of the inlet pressure from shut to fully open",
                          5e5,  kPositive};
  Parameter seat_diameter{this, "seat_diameter", "m", "Diameter of the seat", 0.030, kPositive};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Contraction and loss of the opening", 0.65, kPositive};
  Parameter density{this, "density", "kg/m3", "Density of the oil", 861.8, kPositive};
  Output q{this, "q", "m3/s", "Flow from in to out"};

  double K_ = 0;                  // fully open [m3/s/sqrt(Pa)]
  double per_opening_range_ = 0;  // [1/Pa]
};

}  // namespace davit
