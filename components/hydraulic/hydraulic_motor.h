#pragma once

#include <numbers>

#include "components/hydraulic/tearing_ends.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Turns a shaft by oil, or pumps oil when the shaft drives it.
class HydraulicMotor final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.HydraulicMotor",
      "Hydraulic motor with linear leakage and friction",
      {},
      "q = V*omega + G*dp,  T = V*dp - B*omega,  V = eps*displacement,  dp = p_a - p_b\n"
      "q is positive from a to b; T is what the motor gives to what it drives, omega its speed in the\n"
      "direction in which q > 0 turns it. All four quadrants: with omega > 0 and dp < 0 it pumps.\n"
      "The shaft is a C port, T = c + Zc*w with w = -omega (w counts into the motor). With p = c + Zc*q at\n"
      "a and b, c_a - c_b = dc and Zc_a + Zc_b = Zs:\n"
      "  c = V*dc/(1 + G*Zs),  Zc = V^2*Zs/(1 + G*Zs) + B.\n"
      "An end that tears at the present speed counts as c = p_min, Zc = 0.\n"
      "So the waves of lines at a and b reach the shaft transformed, and what owns the speed there (such\n"
      "as mechanical.Inertia) solves with them. Connected to the port a of an inertia, q > 0 turns it\n"
      "forwards.\n"};

  HydraulicMotor();

  void EvaluateEfforts(double /*t*/) override {
    const double V = displacement_setting * displacement;
    const double q_ab = Flow(V).q;
    const PortWave at_a = EndAt(*a, -q_ab), at_b = EndAt(*b, q_ab);
    const double Zs = at_a.Zc + at_b.Zc;
    const double V_lossy = V / (1 + leakage * Zs);
    shaft->c = V_lossy * (at_a.c - at_b.c);
    shaft->Zc = V_lossy * V * Zs + viscous_friction;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const double V = displacement_setting * displacement;
    const FlowAndDrop flow = Flow(V);
    q = flow.q;
    dp = flow.dp;
    torque = shaft->T();
    speed = -shaft->w;
    a->q = -flow.q;
    b->q = flow.q;
  }

 private:
  /// From a to b at the present speed and displacement V [m3/rad].
  FlowAndDrop Flow(double V) const {
    const double q_ideal = -V * shaft->w;
    return FlowBetween(*a, *b, [&](const PortWave& at_a, const PortWave& at_b) {
      return (q_ideal + leakage * (at_a.c - at_b.c)) / (1 + leakage * (at_a.Zc + at_b.Zc));
    });
  }

  HydraulicPort a{this, "a", Role::kQ, "Side the flow comes from when positive"};
  HydraulicPort b{this, "b", Role::kQ, "Side the flow goes to when positive"};
  RotationalPort shaft{this, "shaft", Role::kC, "What the motor drives"};
  Input displacement_setting{this, "displacement_setting",
                             "",   "Share of the displacement in use; negative turns the other way",
                             1.0,  kPlusMinusOne};
  Parameter displacement{this,        "displacement", "m3/rad", "Displacement", 5e-5 / (2 * std::numbers::pi),
                         kNonNegative};
  Parameter leakage{this, "leakage",   "m3/s/Pa", "Conductance G of the leakage from a to b",
                    0.0,  kNonNegative};
  Parameter viscous_friction{
      this, "viscous_friction", "N.m.s/rad", "Friction B of the shaft against the case", 0.0, kNonNegative};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};
  Output torque{this, "torque", "N.m", "Torque given to what is driven"};
  Output speed{this, "speed", "rad/s", "Speed, positive where q > 0 turns it"};
};

}  // namespace davit
