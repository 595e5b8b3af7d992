#pragma once

#include "components/hydraulic/orifice_law.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Fixed restriction between two ports.
class Orifice final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.Orifice",
      "Fixed restriction with turbulent flow",
      {Level::kIdeal},
      "q = K*dp/(dp^2 + d^2)^(1/4),  dp = p_a - p_b,  K = Cd*A*sqrt(2/rho),  d = 1e4 Pa\n"
      "q is positive from a to b. For |dp| >> d this is q = K*sqrt(dp).\n"
      "At dp = 0 the slope is K/sqrt(d).\n"
      "Cd: 0.611 for a sharp edge in a thin wall (von Mises, 1917), up to 1 for a rounded inlet.\n"};

  Orifice();

  void ParametersChanged() override;

  /// Flow [m3/s] from a to b at the port pressures [Pa].
  double Flow(double p_a, double p_b) const { return OrificeFlow(K_, p_a - p_b); }

  void EvaluateDiffEquations(double /*t*/) override {
    dp = a->c - b->c;
    q = Flow(a->c, b->c);
    a->q = -q;
    b->q = q;
  }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Side the flow comes from when positive"};
  HydraulicPort b{this, "b", Role::kQ, "Side the flow goes to when positive"};
  Parameter area{this, "area", "m2", "Area of the opening", 7.854e-5, kNonNegative};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Contraction and loss of the opening", 0.611, kPositive};
  Parameter density{this, "density", "kg/m3", "Density of the oil", 861.8, kPositive};
  Parameter laminar_coefficient{this, "laminar_coefficient",
                                "",   "Loss coefficient K1 of laminar flow; counts at Advanced",
                                32.0, kNonNegative};
  Parameter kinematic_viscosity{this,   "kinematic_viscosity",
                                "m2/s", "Kinematic viscosity of the oil; counts at Advanced",
                                32e-6,  kPositive};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  double K_ = 0;  // [m3/s/sqrt(Pa)]
};

}  // namespace davit
