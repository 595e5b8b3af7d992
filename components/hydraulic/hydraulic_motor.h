#pragma once

#include <array>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/displacement_machines.h"
#include "components/hydraulic/laws/pump_law.h"
#include "components/hydraulic/laws/solve_restriction.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Turns a shaft by oil, or pumps oil when the shaft drives it.
class HydraulicMotor : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.HydraulicMotor",
      .text = "Hydraulic motor with leakage and friction",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
model own: V and losses as given;  35cc, 50cc, 75cc: V and the losses LeakageAndTorque of a measured motor,
table 3-4 of [Li 2016], displacement in it
q = V*omega + q_loss,  T = V*dp - T_loss,  V = eps*displacement,  dp = p_a - p_b
## Losses
losses None:  q_loss = T_loss = 0
losses Linear (Ideal; both constants are 0 unless given):  q_loss = G*dp,  T_loss = B*omega
losses LeakageAndTorque (Standard, Advanced), as measured machines are described:
  q_loss = (flow_loss_pressure*|dp| + flow_loss_speed*|omega|)*sign(dp)
  T_loss = max(0, torque_loss + torque_loss_pressure*|dp| + torque_loss_speed*|omega|)*sign(omega)
  The signs go from -1 to 1 over 2 bar and over 2 rad/s. The defaults are those of a motor of 50 cm3/rev.
## Signs and waves
q is positive from a to b; T is the torque on the driven component, omega its speed in the
direction in which q > 0 turns it. All four quadrants: with omega > 0 and dp < 0 it pumps.
The shaft is a C port, T = c + Zc*w with w = -omega (w is positive into the motor). With p = c + Zc*q at
a and b, c_a - c_b = dc and Zc_a + Zc_b = Zs, losses Linear:
  c = V*dc/(1 + G*Zs),  Zc = V^2*Zs/(1 + G*Zs) + B.
With LeakageAndTorque the same holds for G = dq_loss/ddp and B = T_loss/omega at the present speed.
An end that cavitates at the present speed has c = p_min, Zc = 0.
So the waves of lines at a and b reach the shaft transformed, and the owner of the speed there (such
as mechanical.Inertia) is solved with them. Connected to the port a of an inertia, q > 0 turns it
forwards.
# Assumptions and limits
- Flow and torque are means over a revolution, without ripple.
- The inertia of the rotor belongs to the component at the shaft.
- All lost flow goes from a to b: there is no case drain.
- The losses do not depend on the viscosity. Those of a measured motor hold for the oil, the pressures and the
  speeds of the measurement.
- Friction fades to 0 within 1 rad/s: a loaded motor does not hold, it creeps. A mechanical.Brake holds it.
)",
  };

  enum class Model : std::uint8_t { kOwn, k35, k50, k75 };
  static constexpr std::array<std::string_view, 4> kModelNames{"own", "35cc", "50cc", "75cc"};
  enum class Losses : std::uint8_t { kNone, kLinear, kLeakageAndTorque };
  static constexpr std::array<std::string_view, 3> kLossesNames{"None", "Linear", "LeakageAndTorque"};

  HydraulicMotor();

  void ParametersChanged() override;

  void EvaluateEfforts(double /*t*/) override {
    const double V = displacement_setting * V_;
    const FlowAndDrop flow = Flow(V);
    const PortWave at_a = EndAt(*a, -flow.q), at_b = EndAt(*b, flow.q);
    const double Zs = at_a.Zc + at_b.Zc;
    if (is_linear_) {
      const double V_lossy = V / (1 + leakage_ * Zs);
      shaft->c = V_lossy * (at_a.c - at_b.c);
      shaft->Zc = V_lossy * V * Zs + friction_;
    } else {
      OfferTorque(V, flow.dp, Zs);
    }
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const double V = displacement_setting * V_;
    const FlowAndDrop flow = Flow(V);
    q = flow.q;
    dp = flow.dp;
    torque = shaft->T();
    speed = -shaft->w;
    a->q = -flow.q;
    b->q = flow.q;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double V = displacement_setting * V_;
    terms.Lost("friction", (V * dp - torque) * speed);
    terms.Lost("leakage", dp * (q - V * speed));
  }

 protected:
  /// From a to b at the present speed and displacement V [m3/rad].
  FlowAndDrop Flow(double V) const {
    const double q_ideal = -V * shaft->w;
    return FlowBetween(*a, *b, [&](const PortWave& at_a, const PortWave& at_b) {
      const double dc = at_a.c - at_b.c, Zs = at_a.Zc + at_b.Zc;
      if (is_linear_) return (q_ideal + leakage_ * dc) / (1 + leakage_ * Zs);
      return q_ideal + LossBetweenWaves(dc - Zs * q_ideal, Zs);
    });
  }
  /// The flow lost with dp = dc - Zs*q_loss.
  double LossBetweenWaves(double dc, double Zs) const;
  /// The wave at the shaft at the pressure drop dp [Pa] and the sum Zs of the impedances [Pa s/m3].
  void OfferTorque(double V, double drop, double Zs);

  HydraulicPort a{this, "a", Role::kQ, "Side the flow comes from when positive"};
  HydraulicPort b{this, "b", Role::kQ, "Side the flow goes to when positive"};
  RotationalPort shaft{this, "shaft", Role::kC, "Driven component"};
  Aspect<Losses> losses{this, "losses", "Leakage and friction", kLossesNames,
                        Presets{.ideal = Losses::kLinear,
                                .standard = Losses::kLeakageAndTorque,
                                .advanced = Losses::kLeakageAndTorque}};
  Input displacement_setting{this, "displacement_setting", "",
                             "Relative displacement (swash setting); negative turns the other way",
                             Number{.value = 1.0, .range = kPlusMinusOne}};
  Property<Model> model_name{this, "model", "A measured motor, or custom data", Model::kOwn, kModelNames};
  Parameter displacement{this, "displacement", "m3/rad", "Displacement",
                         Number{.value = 5e-5 / (2 * std::numbers::pi), .range = kNonNegative}};
  Parameter leakage{this, "leakage", "m3/s/Pa", "Leakage G from a to b",
                    Number{.value = 0.0, .range = kNonNegative, .when = losses.Is(Losses::kLinear)}};
  FaultMode internal_leak{this, "internal_leak", "leakage", 5e-11, "The motor is worn: 30 l/min at 100 bar"};
  Parameter viscous_friction{this, "viscous_friction", "N.m.s/rad",
                             "Friction B of the shaft against the case",
                             Number{.value = 0.0, .range = kNonNegative, .when = losses.Is(Losses::kLinear)}};
  Parameter flow_loss_pressure{
      this, "flow_loss_pressure", "m3/s/Pa", "Flow lost per pressure difference",
      Number{.value = 1.2798e-12, .range = kNonNegative, .when = losses.Is(Losses::kLeakageAndTorque)}};
  FaultMode flow_lost{this, "flow_lost", "flow_loss_pressure", Multiple{20},
                      "The motor is worn: twenty times the flow lost per pressure"};
  Parameter flow_loss_speed{this, "flow_loss_speed", "m3/rad", "Flow lost per speed",
                            Number{.value = 5.9098e-8, .range = kNonNegative}};
  Parameter torque_loss{this, "torque_loss", "N.m", "Constant part of the torque loss",
                        Number{.value = 4.0394, .when = losses.Is(Losses::kLeakageAndTorque)}};
  Parameter torque_loss_pressure{this, "torque_loss_pressure", "N.m/Pa",
                                 "Torque loss per pressure difference", Number{.value = 5.5825e-7}};
  Parameter torque_loss_speed{this, "torque_loss_speed", "N.m.s/rad", "Torque loss per speed",
                              Number{.value = 5.5243e-2}};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};
  Output torque{this, "torque", "N.m", "Torque on the driven component"};
  Output speed{this, "speed", "rad/s", "Speed, positive where q > 0 turns it"};

  // Scales of the indicators: 10 rad/s and 10 bar at least, both at full displacement.
  Indicator lost_flow{this, "lost_flow", "Flow lost beyond the linear leakage over that of the displacement",
                      losses.Is(Losses::kNone, Losses::kLinear), [this] {
                        const double lost = flow_loss_.At(dp, shaft->w);
                        return Share(lost - leakage * dp, V_ * std::max(std::abs(shaft->w), 10.0));
                      }};
  Indicator lost_torque{this, "lost_torque", "Torque lost beyond the viscous one over that of the pressure",
                        losses.Is(Losses::kNone, Losses::kLinear), [this] {
                          const double lost = torque_loss_.At(dp, speed);
                          return Share(lost - viscous_friction * speed, V_ * std::max(std::abs(dp), 10e5));
                        }};
  Indicator linear_losses{this, "linear_losses", "Linear leakage and friction over flow and torque",
                          losses.Is(Losses::kNone), [this] {
                            return Share(leakage * dp, V_ * std::max(std::abs(speed), 10.0)) +
                                   Share(viscous_friction * speed, V_ * std::max(std::abs(dp), 10e5));
                          }};

  bool is_linear_ = true;
  double V_ = 0;         // displacement in use [m3/rad]
  double leakage_ = 0;   // G of losses Linear [m3/s/Pa]
  double friction_ = 0;  // B of losses Linear [N m s/rad]
  FlowLoss flow_loss_;
  TorqueLoss torque_loss_;
};

}  // namespace davit
