#pragma once

#include <numbers>

#include "components/hydraulic/tearing_ends.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Pump whose flow follows speed and swash angle.
class AxialPistonPump final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.AxialPistonPump",
      "Axial piston pump with a swash plate",
      {Level::kIdeal},
      "Ideal:  q = Vp*omega*tan(alpha),  T = Vp*tan(alpha)*(p_out - p_in);  no losses, no drain flow.\n"
      "q is positive from in to out; omega is the speed of the shaft, or the parameter speed while\n"
      "nothing is connected to the shaft; T is the torque that the shaft must bring. The power is\n"
      "balanced: T*omega = q*(p_out - p_in). Between waves p = c + Zc*q, so at the shaft T = c + Zc*omega:\n"
      "c = Vp*tan(alpha)*(c_out - c_in),  Zc = (Vp*tan(alpha))^2*(Zc_in + Zc_out).\n"
      "An end that tears at the present speed counts as c = p_min, Zc = 0.\n"};

  AxialPistonPump();

  void ParametersChanged() override;

  /// Flow [m3/s] from in to out at the speed omega [rad/s].
  double Flow(double omega) const { return displacement_at_angle_ * omega; }

  void EvaluateEfforts(double /*t*/) override {
    const double q = Flow(shaft->w);
    const PortWave at_in = EndAt(*in, -q), at_out = EndAt(*out, q);
    shaft->c = displacement_at_angle_ * (at_out.c - at_in.c);
    shaft->Zc = displacement_at_angle_ * displacement_at_angle_ * (at_in.Zc + at_out.Zc);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const double q = Flow(shaft->w);
    q_out = q;
    in->q = -q;
    out->q = q;
    p_out = out->p();
    torque = shaft->T();
  }

 private:
  HydraulicPort in{this, "in", Role::kQ, "Suction side"};
  HydraulicPort out{this, "out", Role::kQ, "Pressure side"};
  HydraulicPort drain{this, "drain", Role::kQ, "Case drain; carries leakage from Standard on",
                      Connecting::kOptional};
  RotationalPort shaft{this, "shaft", Role::kC, "Drive shaft", Connecting::kOptional};
  Parameter displacement{this,
                         "displacement",
                         "m3/rad",
                         "Displacement at a swash angle of 45 degrees",
                         2.7e-4 / (2 * std::numbers::pi),
                         kNonNegative};
  Parameter speed{this, "speed", "rad/s", "Speed while nothing is connected to the shaft",
                  1776 * 2 * std::numbers::pi / 60};
  Parameter swash_angle{this,
                        "swash_angle",
                        "rad",
                        "Angle of the swash plate; from Standard on the largest",
                        std::numbers::pi / 4,
                        Range{.low = -std::numbers::pi / 3, .high = std::numbers::pi / 3}};
  Parameter set_pressure{
      this,  "set_pressure",
      "Pa",  "Outlet pressure at which the compensator stops the flow; counts from Standard on",
      300e5, kNonNegative};
  Parameter compensator_range{
      this, "compensator_range",
      "Pa", "Pressure below the set pressure over which the angle is reduced; counts from Standard on",
      10e5, kPositive};
  Parameter leakage{this,      "leakage",
                    "m3/s/Pa", "Conductance of all leakage paths; counts from Standard on",
                    2.04e-11,  kNonNegative};
  Parameter leakage_ratio{
      this, "leakage_ratio",
      "",   "Leakage back to the inlet over leakage to the drain; counts from Standard on",
      2.0,  kNonNegative};
  Parameter torque_loss{this, "torque_loss", "N.m",
                        "Constant part of the torque loss; counts from Standard on", 5.0966};
  Parameter torque_loss_pressure{this, "torque_loss_pressure", "N.m/Pa",
                                 "Torque loss for each pressure difference; counts from Standard on",
                                 5.4058e-7};
  Parameter torque_loss_speed{this, "torque_loss_speed", "N.m.s/rad",
                              "Torque loss for each speed; counts from Standard on", -1.3992e-2};
  Parameter atmospheric_pressure{this, "atmospheric_pressure",
                                 "Pa", "Absolute pressure of the atmosphere; counts at Advanced",
                                 1e5,  kPositive};
  Parameter vapour_pressure{this,  "vapour_pressure",
                            "Pa",  "Absolute vapour pressure of the oil; counts at Advanced",
                            100.0, kNonNegative};
  Output p_out{this, "p_out", "Pa", "Pressure at the outlet"};
  Output q_out{this, "q_out", "m3/s", "Flow out of the pump"};
  Output torque{this, "torque", "N.m", "Torque the shaft must bring"};

  double displacement_at_angle_ = 0;  // Vp*tan(alpha) [m3/rad]
};

}  // namespace davit
