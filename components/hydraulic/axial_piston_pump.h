#pragma once

#include <array>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/displacement_machines.h"
#include "components/hydraulic/laws/pump_law.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Pump whose flow follows speed and swash angle.
///
/// A derived model may add options to `control` (Aspect::AddOption) and give their angle by AddedAngle.
class AxialPistonPump : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.AxialPistonPump",
      .text = "Axial piston pump with a swash plate",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
q_out = f*Vp*omega*tan(alpha),  T = f*Vp*tan(alpha)*(p_out - p_in) + T_loss
model own: Vp, leakage and torque loss are those given:  displacement_from value: Vp = displacement;
  geometry: Vp = piston_area*pistons*pitch_diameter/(2*pi);  leakage_from value: leakage;
  usual: 8e-8*V_rev - 1.2e-12 m3/s/Pa, not below 0, V_rev = 2*pi*Vp: a rough regression for 25 to 200 cm3/rev
model 30cc ... 160cc: all of them of a measured pump, table 3-3 of [Li 2016]; closed: for closed circuits
q_out is what the pistons move from in to out; omega is the speed of the shaft, or the parameter
speed while nothing is connected to the shaft; T is the torque required at the shaft.
## Control
control Fixed (Ideal):  alpha = swash_angle
control Compensated (Standard, Advanced):
  alpha = swash_angle*clip((set_pressure - p_out)/compensator_range),  clip limits to 0 .. 1
control Lagged:  swash_time*swash' = alpha of Compensated - swash,  alpha = swash
control LoadSensing:  as Compensated, with min(set_pressure, load_pressure + load_sensing_margin) in
  place of set_pressure: the flow keeps the outlet that much above the load
## Losses
losses None (Ideal):  T_loss = 0, and no leakage
losses LeakageAndTorque (Standard, Advanced):  leakage G_in*(p_out - p_in) back to the inlet and
  G_ex*(p_out - p_drain) to the drain, to p = 0 while nothing is connected there;
  G_in + G_ex = leakage,  G_in/G_ex = leakage_ratio;
  T_loss = max(0, torque_loss + torque_loss_pressure*|dp| + torque_loss_speed*|omega|)*sign(omega),
  where the sign goes from -1 to 1 over 2 rad/s; with torque_loss_from efficiency
  T_loss = |f*Vp*tan(alpha)*dp|*(1/torque_efficiency - 1)*sign(omega):  T = f*Vp*tan(alpha)*dp/torque_efficiency
## Inlet
inlet Full (Ideal, Standard):  f = 1
inlet Schulz, by the absolute pressure P on the side the pistons draw from [Schulz 1979]:
  f = 1 - (1 - P/p_atm)^2 for P < p_atm, fading to 0 from twice the vapour pressure down to it
inlet SuctionLoss (Advanced):  the same behind a restriction before the inlet, with q from the inlet:
  p_suction = p_in - suction_pressure_drop*(q/suction_flow)*|q/suction_flow|, in place of p_in in all laws above
## Power and waves
Without losses the power is balanced: T*omega = q_out*(p_out - p_in). Between waves p = c + Zc*q is
solved along with the laws, and the shaft feels T = c + Zc*omega, exact at the present speed.
A switch to Lagged starts at the present angle.
# Assumptions and limits
- Flow and torque are means over a revolution: there is no ripple of single pistons, and no oil is
  compressed inside the pump.
- The compensator is a static characteristic, without spool or servo piston. Only Lagged delays the swash plate.
- Leakage is laminar, with one conductance for all viscosities and speeds. The losses of a measured pump
  hold for the oil, the pressures and the speeds of the measurement.
- A shaft at rest has no breakaway torque: the friction fades to 0 within 1 rad/s. The inertia of the
  pump belongs to the component at the shaft.
- Without a connected shaft the speed is constant, at any torque. With inlet Full the pump draws its full
  flow at any inlet pressure.
)",
  };

  enum class Control : std::uint8_t { kFixed, kCompensated, kLagged, kLoadSensing };
  static constexpr std::array<std::string_view, 4> kControlNames{"Fixed", "Compensated", "Lagged",
                                                                 "LoadSensing"};
  enum class Losses : std::uint8_t { kNone, kLeakageAndTorque };
  static constexpr std::array<std::string_view, 2> kLossesNames{"None", "LeakageAndTorque"};
  enum class Inlet : std::uint8_t { kFull, kSchulz, kSuctionLoss };
  static constexpr std::array<std::string_view, 3> kInletNames{"Full", "Schulz", "SuctionLoss"};

  enum class Model : std::uint8_t {
    kOwn,
    k30,
    k43,
    k50Closed,
    k75,
    k100Closed,
    k100,
    k105Closed,
    k130,
    k160
  };
  static constexpr std::array<std::string_view, 10> kModelNames{
      "own",          "30cc",  "43cc",         "50cc closed", "75cc",
      "100cc closed", "100cc", "105cc closed", "130cc",       "160cc"};
  enum class DisplacementFrom : std::uint8_t { kValue, kGeometry };
  static constexpr std::array<std::string_view, 2> kDisplacementFromNames{"value", "geometry"};
  enum class LeakageFrom : std::uint8_t { kValue, kUsual };
  static constexpr std::array<std::string_view, 2> kLeakageFromNames{"value", "usual"};
  enum class TorqueLossFrom : std::uint8_t { kCoefficients, kEfficiency };
  static constexpr std::array<std::string_view, 2> kTorqueLossFromNames{"coefficients", "efficiency"};

  enum class Delivering : std::uint8_t { kFullFlow, kRegulating, kZeroFlow };
  static constexpr std::array<std::string_view, 3> kDeliveringNames{"FullFlow", "Regulating", "ZeroFlow"};
  enum class Suction : std::uint8_t { kNormal, kStarved, kCavitating };
  static constexpr std::array<std::string_view, 3> kSuctionNames{"Normal", "Starved", "Cavitating"};

  AxialPistonPump();

  void ParametersChanged() override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;

  /// Flow [m3/s] from in to out at the speed omega [rad/s] and full angle, without losses.
  double Flow(double omega) const { return displacement_at_angle_ * omega; }

  void EvaluateEfforts(double /*t*/) override {
    if (!is_lossless_) return OfferTorque();
    const double q = Flow(shaft->w);
    const PortWave at_in = EndAt(*in, -q), at_out = EndAt(*out, q);
    shaft->c = displacement_at_angle_ * (at_out.c - at_in.c);
    shaft->Zc = displacement_at_angle_ * displacement_at_angle_ * (at_in.Zc + at_out.Zc);
  }

  bool WritePartials(PartialDerivatives& partials) const override {
    if (!is_lossless_ || shaft.is_connected() || out->p() <= out->p_min || in->p() <= in->p_min) return false;
    const double V = displacement_at_angle_;
    partials.Set(torque, &in->c, -V);
    partials.Set(torque, &out->c, V);
    partials.Set(torque, &in->Zc, V * V * shaft->w);
    partials.Set(torque, &out->Zc, V * V * shaft->w);
    partials.Set(p_out, &out->c, 1);
    partials.Set(p_out, &out->Zc, out->q);
    partials.Set(p_suction, &in->c, 1);
    partials.Set(p_suction, &in->Zc, in->q);
    return true;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    if (!is_lossless_) return EvaluateLossy();
    const double q = Flow(shaft->w);
    q_out = q;
    q_leak = 0;
    in->q = -q;
    out->q = q;
    drain->q = 0;
    p_out = out->p();
    p_suction = in->p();
    angle = static_cast<double>(swash_angle);
    torque = shaft->T();
    swash.ShowValue(angle);
  }

  double PowerBesidePorts() const override { return shaft.is_connected() ? 0 : torque * shaft->w; }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double drawn = -in->q;
    if (!shaft.is_connected()) terms.In("drive", torque * shaft->w);
    terms.Lost("friction", torque * shaft->w - q_out * (p_out - p_suction));
    terms.Lost("suction", (in->p() - p_suction) * drawn);
    terms.Lost("leakage", (q_out - drawn) * (p_out - p_suction) + drain->q * (p_out - drain->p()));
  }

 protected:
  /// Swash angle [rad] of an option of `control` that a derived model has added, at the outlet pressure p
  /// [Pa].
  virtual double AddedAngle(Control /*option*/, double /*p*/) const { return swash_angle; }

  /// All that follows from the pressure at the outlet.
  struct Delivery {
    double p_out, p_in, p_drain;   ///< [Pa], p_in at the pistons
    double alpha;                  ///< [rad]
    double V;                      ///< what the pistons move, f*Vp*tan(alpha) [m3/rad]
    double moved, drawn, drained;  ///< by the pistons, from the inlet, into the drain [m3/s]

    double given() const { return drawn - drained; }
  };

  /// Flows and the other pressures at an outlet pressure p [Pa] and the present speed, between waves too.
  Delivery DeliveryAt(double p) const;
  /// The same with p = c + Zc*q at the outlet.
  Delivery Deliver() const;
  double AngleAt(double p) const;
  /// Pressure lost before the inlet [Pa] by q [m3/s] from it.
  double SuctionDrop(double q) const { return suction_resistance_ * q * std::abs(q); }
  OptionCondition WhereFilling() const { return inlet.Is(Inlet::kSchulz, Inlet::kSuctionLoss); }
  Delivering DeliveringAt(double p) const {
    if (control == Control::kFixed || p <= set_pressure - compensator_range) return Delivering::kFullFlow;
    return p < set_pressure ? Delivering::kRegulating : Delivering::kZeroFlow;
  }
  Suction SuctionAt(double p, Suction now) const {
    const double P = p + atmospheric_pressure;
    // Rounding must not decide between a tank without flow and a starved inlet.
    constexpr double kLeastShare = 0.999;
    const double starved = (now == Suction::kNormal ? kLeastShare : 1.0) * atmospheric_pressure;
    if (inlet == Inlet::kFull || P >= starved) return Suction::kNormal;
    return P > vapour_pressure ? Suction::kStarved : Suction::kCavitating;
  }
  /// Of a displacement V [m3/rad] in use, at dp [Pa] and omega [rad/s].
  double TorqueLossAt(double V, double dp, double omega) const {
    if (!(efficiency_loss_ > 0)) return torque_loss_.At(dp, omega);
    return efficiency_loss_ * std::abs(V * dp) * SmoothSign(omega, torque_loss_.width);
  }
  void OfferTorque();
  void EvaluateLossy();

  HydraulicPort in{this, "in", Role::kQ, "Suction side"};
  HydraulicPort out{this, "out", Role::kQ, "Pressure side"};
  HydraulicPort drain{this, "drain", Role::kQ, "Case drain; carries leakage with losses LeakageAndTorque",
                      Connecting::kOptional};
  RotationalPort shaft{this, "shaft", Role::kC, "Drive shaft", Connecting::kOptional};
  Aspect<Control> control{
      this, "control", "Control of the swash angle", kControlNames,
      Presets{
          .ideal = Control::kFixed, .standard = Control::kCompensated, .advanced = Control::kCompensated}};
  Aspect<Losses> losses{this, "losses", "Leakage and friction", kLossesNames,
                        Presets{.ideal = Losses::kNone,
                                .standard = Losses::kLeakageAndTorque,
                                .advanced = Losses::kLeakageAndTorque}};
  Aspect<Inlet> inlet{
      this, "inlet", "Whether low inlet pressure reduces the flow", kInletNames,
      Presets{.ideal = Inlet::kFull, .standard = Inlet::kFull, .advanced = Inlet::kSuctionLoss}};
  Input load_pressure{this, "load_pressure", "Pa", "Highest pressure of the actuators",
                      Number{.when = control.Is(Control::kLoadSensing)}};
  Property<Model> model_name{this, "model", "A measured pump, or custom data", Model::kOwn, kModelNames};
  Property<DisplacementFrom> displacement_from{
      this, "displacement_from",
      "Source of the displacement: the given value, or the geometry of the pistons", DisplacementFrom::kValue,
      kDisplacementFromNames};
  Property<LeakageFrom> leakage_from{this, "leakage_from",
                                     "Source of the leakage: the given value, or the usual one",
                                     LeakageFrom::kValue, kLeakageFromNames};
  Property<TorqueLossFrom> torque_loss_from{
      this, "torque_loss_from", "Whether the torque loss is given by three coefficients or by an efficiency",
      TorqueLossFrom::kCoefficients, kTorqueLossFromNames};
  Parameter displacement{this, "displacement", "m3/rad", "Displacement at a swash angle of 45 degrees",
                         Number{.value = 2.7e-4 / (2 * std::numbers::pi), .range = kNonNegative}};
  Parameter speed{this, "speed", "rad/s", "Speed while nothing is connected to the shaft",
                  Number{.value = 1776 * 2 * std::numbers::pi / 60}};
  FaultMode stops{this, "stop", "speed", 0, "The drive stops"};
  Parameter swash_angle{this, "swash_angle", "rad",
                        "Angle of the swash plate; with a compensator the largest angle",
                        Number{.value = std::numbers::pi / 4,
                               .range = Range{.low = -std::numbers::pi / 3, .high = std::numbers::pi / 3}}};
  Parameter set_pressure{this, "set_pressure", "Pa",
                         "Outlet pressure at which the compensator stops the flow",
                         Number{.value = 300e5, .range = kNonNegative}};
  Parameter compensator_range{this, "compensator_range", "Pa",
                              "Pressure below the set pressure over which it reduces the angle",
                              Number{.value = 10e5, .range = kPositive}};
  Parameter load_sensing_margin{
      this, "load_sensing_margin", "Pa", "Pressure margin of the outlet above the load",
      Number{.value = 20e5, .range = kNonNegative, .when = control.Is(Control::kLoadSensing)}};
  Parameter swash_time{this, "swash_time", "s", "Lag of the swash plate",
                       Number{.value = 0.04, .range = kPositive, .when = control.Is(Control::kLagged)}};
  Parameter leakage{
      this, "leakage", "m3/s/Pa", "Conductance of all leakage paths",
      Number{.value = 2.04e-11, .range = kNonNegative, .when = losses.Is(Losses::kLeakageAndTorque)}};
  FaultMode internal_leak{this, "internal_leak", "leakage", Multiple{10},
                          "The pump is worn: ten times its leakage"};
  Parameter leakage_ratio{this, "leakage_ratio", "", "Leakage back to the inlet over leakage to the drain",
                          Number{.value = 2.0, .range = kNonNegative}};
  Parameter torque_loss{this, "torque_loss", "N.m", "Constant part of the torque loss",
                        Number{.value = 5.0966, .when = losses.Is(Losses::kLeakageAndTorque)}};
  Parameter torque_loss_pressure{this, "torque_loss_pressure", "N.m/Pa",
                                 "Torque loss per pressure difference", Number{.value = 5.4058e-7}};
  Parameter torque_loss_speed{this, "torque_loss_speed", "N.m.s/rad", "Torque loss per speed",
                              Number{.value = -1.3992e-2}};
  Parameter torque_efficiency{this, "torque_efficiency", "",
                              "Hydromechanical efficiency; used only with torque_loss_from efficiency",
                              Number{.value = 0.92, .range = Range{.low = 0.1, .high = 1}}};
  Parameter atmospheric_pressure{this, "atmospheric_pressure", "Pa", "Absolute pressure of the atmosphere",
                                 Number{.value = 1e5, .range = kPositive, .when = WhereFilling()}};
  Parameter vapour_pressure{this, "vapour_pressure", "Pa", "Absolute vapour pressure of the oil",
                            Number{.value = 100.0, .range = kNonNegative, .when = WhereFilling()}};
  Parameter suction_flow{
      this, "suction_flow", "m3/s", "Flow at which suction_pressure_drop is lost before the inlet",
      Number{.value = 500 / 6e4, .range = kPositive, .when = inlet.Is(Inlet::kSuctionLoss)}};
  Parameter suction_pressure_drop{
      this, "suction_pressure_drop", "Pa", "Pressure lost before the inlet at suction_flow",
      Number{.value = 0.1e5, .range = kNonNegative, .when = inlet.Is(Inlet::kSuctionLoss)}};
  Parameter piston_area{this, "piston_area", "m2",
                        "Area of one piston; used only with displacement_from geometry",
                        Number{.value = 6.75e-4, .range = kPositive}};
  Property<int> pistons{
      this, "pistons", "Number of pistons; used only with displacement_from geometry",
      Number{.value = 8, .range = Range{.low = 1, .high = 100}, .tunability = Tunability::kStructural}};
  Parameter pitch_diameter{this, "pitch_diameter", "m",
                           "Diameter of the circle of the pistons; used only with displacement_from geometry",
                           Number{.value = 0.05, .range = kPositive}};
  StateVariable swash{this, "swash", "rad", "Swash angle that lags", 0.0, 1.0, control.Is(Control::kLagged)};
  Output p_out{this, "p_out", "Pa", "Pressure at the outlet"};
  Output p_suction{this, "p_suction", "Pa",
                   "Pressure from which the pistons draw, behind the loss before the inlet"};
  Output q_out{this, "q_out", "m3/s", "Displacement flow of the pistons, before leakage"};
  Output q_leak{this, "q_leak", "m3/s", "Leakage, to the inlet and to the drain"};
  Output angle{this, "angle", "rad", "Swash angle"};
  Output torque{this, "torque", "N.m", "Torque required at the shaft"};

  Mode<Delivering> delivery{this, "delivery", "Action of the compensator", kDeliveringNames,
                            [this](Delivering) { return DeliveringAt(p_out); }};
  Mode<Suction> suction{this, "suction", "Whether the pistons are filled: inlet Schulz or SuctionLoss",
                        kSuctionNames, [this](Suction now) { return SuctionAt(p_suction, now); }};

  // Scales of the indicators: a slow speed, a hundredth of the set pressure at least.
  double SpeedScale() const { return std::max(std::abs(shaft->w), 10.0); }
  double Drop() const { return out->p() - in->p(); }
  /// By inlet Schulz at a gauge pressure [Pa].
  double FillingAt(double p) const {
    return InletFilling(p + atmospheric_pressure, atmospheric_pressure, vapour_pressure);
  }

  Indicator compensation{this, "compensation", "Share of the flow that the compensator takes away",
                         control.Is(Control::kFixed), [this] {
                           const double angle_now =
                               CompensatedAngle(swash_angle, set_pressure, compensator_range, out->p());
                           return Share(std::tan(swash_angle) - std::tan(angle_now), std::tan(swash_angle));
                         }};
  Indicator leakage_flow{
      this, "leakage_flow", "Leakage over the flow of the pistons at full angle", losses.Is(Losses::kNone),
      [this] { return Share(leakage_of_losses_ * Drop(), displacement_at_angle_ * SpeedScale()); }};
  Indicator lost_torque{this, "lost_torque", "Lost torque over that of the pressure at full angle",
                        losses.Is(Losses::kNone), [this] {
                          const double V = displacement_at_angle_;
                          const double least = std::max(std::abs(Drop()), 0.01 * set_pressure);
                          const double by_efficiency = efficiency_of_losses_ * V * Drop();
                          const double lost = efficiency_of_losses_ > 0
                                                  ? by_efficiency
                                                  : torque_of_losses_.At(Drop(), shaft->w);
                          return Share(lost, V * least);
                        }};
  Indicator unfilled{this, "unfilled", "Share of the flow that a low inlet pressure takes away",
                     inlet.Is(Inlet::kFull),
                     [this] { return 1 - FillingAt(shaft->w < 0 ? out->p() : in->p()); }};
  Indicator suction_loss{this, "suction_loss", "Share of the flow that the loss before the inlet takes away",
                         inlet.Is(Inlet::kFull, Inlet::kSchulz), [this] {
                           if (shaft->w < 0) return 0.0;
                           const double lost = suction_pressure_drop / (suction_flow * suction_flow);
                           return FillingAt(in->p()) - FillingAt(in->p() - lost * in->q * in->q);
                         }};

  bool is_lossless_ = true;           // fixed angle, no losses, full inlet
  double Vp_ = 0;                     // in use [m3/rad]
  double displacement_at_angle_ = 0;  // Vp*tan(swash_angle) [m3/rad]
  double suction_resistance_ = 0;     // of inlet SuctionLoss [Pa s2/m6], else 0
  LeakageSplit leakage_{0, 0};        // 0 without losses
  TorqueLoss torque_loss_;            // the same
  double efficiency_loss_ = 0;        // 1/torque_efficiency - 1, where that is in use
  double leakage_of_losses_ = 0;      // of losses LeakageAndTorque, whether it is in use or not
  TorqueLoss torque_of_losses_;
  double efficiency_of_losses_ = 0;
};

}  // namespace davit
