#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/gas_spring.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/thermal_gas.h"
#include "framework/archive.h"
#include "framework/indicator.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Gas accumulator.
class Accumulator : public DynamicSimComponent, public StepPointHooks, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Accumulator",
      .text = "Gas accumulator: isothermal, polytropic, or with heat exchange",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
oil' = q_in,  Vg = V0 - max(0, oil - oil_0),  p_oil = P - p_atm - beta/port_volume*max(0, oil_0 - oil)
with the absolute pressure P of the gas and oil_0 = port_volume*precharge_pressure/beta:
gas Isothermal (Ideal):    P*Vg = P0*V0,  P0 = precharge_pressure + p_atm,  V0 = gas_volume
gas Polytropic (Standard): P*Vg^n = P0*V0^n
gas Thermal (Advanced):    P = m*R*T/Vg,  m*cv*T' = -P*Vg' + m*cv*(wall_temperature - T)/thermal_time,
  m = P0*V0/(R*gas_temperature);  nitrogen as an ideal gas: R = 296.8, cv = 743 J/kg/K
equation redlich_kwong, with Isothermal and Thermal:  P = m*R*T/(Vg - m*b) - a*m^2/(T^(1/2)*Vg*(Vg + m*b)),
  m*c*T' = -T*dP/dT*Vg' + m*c*(wall_temperature - T)/thermal_time,  c = cv + 3*a/(4*b*T^(3/2))*ln(1 + m*b/Vg),
  a = 0.42748*R^2*Tc^2.5/Pc,  b = 0.08664*R*Tc/Pc,  Tc = 126.19 K, Pc = 33.958 bar; Isothermal at gas_temperature
inlet None (Ideal):  q_in = sum(q),  c = p_oil
inlet Orifice (Standard, Advanced):  port_volume/beta*port_pressure' = sum(q) - q_in,  c = port_pressure,
  q_in = K*dp/(dp^2 + d^2)^(1/4),  K = Cd*pi/4*inlet_diameter^2*sqrt(2/density),  d = 1e4 Pa,
  dp = port_pressure - p_oil
Empty: up to oil_0 the gas fills its shell (Vg = V0) and only the oil in the port is left. It then gives
  no oil, and takes none before the line is above the precharge.
q is positive into the accumulator, p is gauge pressure; Zc = 0 at every port.
## Cavitation
Cavitation: oil cannot sustain tension. p and p_oil stay at the vapour pressure, pv = vapour_pressure -
atmospheric_pressure, where oil or port_pressure fall further; void_volume is the missing volume.
## Start and changes of options
It starts at the pressure p, with Thermal at gas_temperature. A switch of the gas law keeps P and Vg: the
new law goes through that point, and its pressure when empty follows from it. A new port volume starts
with the pressure of the oil.
# Assumptions and limits
- The separator (bladder, piston, diaphragm) has no mass, friction or stiffness: gas and oil have one
  pressure while the gas is compressed.
- Only the oil of port_volume is compressible; the oil that compresses the gas is not.
- Isothermal and Polytropic: the exponent is constant, whatever the speed of charging. Thermal: one
  temperature of the gas, one thermal_time for all pressures, a shell of constant temperature.
- With equation ideal and with Polytropic the gas is ideal. At 300 bar real nitrogen is about 10 % stiffer; with
  redlich_kwong an error of about 2 % is left.
- Below Vg = V0/100, or 1.1*m*b, the gas law continues along its tangent: no stop limits the filling.
)",
  };

  enum class Gas : std::uint8_t { kIsothermal, kPolytropic, kThermal };
  static constexpr std::array<std::string_view, 3> kGasNames{"Isothermal", "Polytropic", "Thermal"};
  enum class Inlet : std::uint8_t { kNone, kOrifice };
  static constexpr std::array<std::string_view, 2> kInletNames{"None", "Orifice"};

  Accumulator();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;
  void ArchiveMemory(Archive& archive) override {
    archive(gas_.P0, gas_.V0, gas_.n);
    T_fixed_ = heat_.Temperature(gas_.P0, gas_.V0);
  }

  void EvaluateEfforts(double /*t*/) override {
    const Filling now = FillingNow();
    p_oil = now.p;
    p_gas = now.P - atmospheric_pressure;
    Vg = now.Vg;
    p = inlet == Inlet::kNone ? now.p : std::max<double>(port_pressure, vapour_);
    for (std::size_t i = 0; i < port.size(); ++i) port[i].c = p;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    double q = 0;
    for (std::size_t i = 0; i < port.size(); ++i) q += port[i].q;
    if (inlet == Inlet::kNone) {
      q_in = q;
      port_pressure.ShowValue(p_oil);
    } else {
      q_in = OrificeFlow(K_, p - p_oil);
      port_pressure.ddt = stiffness_ * (q - q_in);
    }
    oil.ddt = q_in;
    void_volume = VoidVolume();
    if (gas == Gas::kThermal) {
      const double dVg = Vg < gas_volume ? -q_in : 0.0;
      T.ddt = TemperatureRate(dVg);
    } else {
      T.ShowValue(HasFixedTemperature() ? T_fixed_ : heat_.Temperature(p_gas + atmospheric_pressure, Vg));
    }
  }

  /// The gas takes it.
  double PowerBesidePorts() const override { return -p_oil * q_in; }
  void PostIntegrate() override { alarms.Look(p, OilAlarms::IsVoid(void_volume, port_volume)); }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("gas", GasEnergy());
    if (inlet == Inlet::kOrifice) {
      terms.Stored("oil", PortEnergy());
      terms.Lost("throttling", (p - p_oil) * q_in);
    }
    if (gas == Gas::kThermal) terms.Lost("heat", HeatToShell());
  }

 protected:
  struct Filling {
    double p;   ///< of the oil, gauge [Pa]
    double P;   ///< of the gas, absolute [Pa]
    double Vg;  ///< [m3]
  };
  double VoidVolume() const;
  /// A real gas that keeps its temperature.
  bool HasFixedTemperature() const { return gas == Gas::kIsothermal && !heat_.is_ideal(); }
  /// Absolute pressure of the gas in the volume V [m3].
  double GasPressure(double V) const;
  Filling FillingNow() const;
  /// Energy [J] of the gas beyond that at the precharge, less the work on the atmosphere, and of the oil that
  /// is left without gas behind it; of the oil before the inlet.
  double GasEnergy() const;
  double PortEnergy() const;
  /// Oil [m3] that the empty port lacks at the pressure of the gas, but for what is a cavity.
  double OilMissing() const;
  /// What the gas gives its shell, with the work on the oil of an empty port, whose pressure follows that of
  /// the gas [W].
  double HeatToShell() const;
  /// T' [K/s] of gas = Thermal while Vg changes at the rate dVg [m3/s].
  double TemperatureRate(double dVg) const;
  /// Vg, or the least volume for which the law holds [m3].
  double LawVolume() const { return std::max<double>(Vg, heat_.LeastVolume(gas_volume)); }
  /// The polytropic exponent of a law; for Thermal that without heat.
  double Exponent(Gas law) const;

  HydraulicPortArray port{this, "port", Role::kC, "Connections to the oil side"};
  Aspect<Gas> gas{
      this, "gas", "Law of the gas", kGasNames,
      Presets{.ideal = Gas::kIsothermal, .standard = Gas::kPolytropic, .advanced = Gas::kThermal}};
  Aspect<Inlet> inlet{
      this, "inlet", "Loss at the inlet", kInletNames,
      Presets{.ideal = Inlet::kNone, .standard = Inlet::kOrifice, .advanced = Inlet::kOrifice}};
  Property<GasEquation> equation{this, "equation", "Equation of state of the gas, nitrogen",
                                 kGasEquationNames,
                                 Choice{.value = GasEquation::kIdeal,
                                        .tunability = Tunability::kStructural,
                                        .when = gas.Is(Gas::kIsothermal, Gas::kThermal)}};
  Parameter gas_volume{this, "gas_volume", "m3", "Volume of the gas at the precharge pressure",
                       Number{.value = 0.01, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter precharge_pressure{
      this, "precharge_pressure", "Pa", "Gauge pressure of the gas without oil",
      Number{.value = 100e5, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter polytropic_exponent{this, "polytropic_exponent", "", "n, 1 slow to 1.4 fast",
                                Number{.value = 1.4,
                                       .range = kPositive,
                                       .tunability = Tunability::kStructural,
                                       .when = gas.Is(Gas::kPolytropic)}};
  Parameter gas_temperature{
      this, "gas_temperature", "K", "Temperature of the gas at precharge and at the start",
      Number{.value = 293.15, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter wall_temperature{this, "wall_temperature", "K", "Temperature of the shell",
                             Number{.value = 293.15, .range = kPositive, .when = gas.Is(Gas::kThermal)}};
  Parameter thermal_time{this, "thermal_time", "s", "Time constant of the heat between gas and shell",
                         Number{.value = 30.0, .range = kPositive, .when = gas.Is(Gas::kThermal)}};
  Parameter inlet_diameter{this, "inlet_diameter", "m", "Diameter of the inlet",
                           Number{.value = 0.02, .range = kPositive, .when = inlet.Is(Inlet::kOrifice)}};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Contraction and loss of the inlet",
      Number{.value = 0.7, .range = kPositive, .when = inlet.Is(Inlet::kOrifice)}};
  Parameter density{this, "density", "kg/m3", "Density of the oil",
                    Number{.value = 861.8, .range = kPositive, .when = inlet.Is(Inlet::kOrifice)}};
  Parameter port_volume{this, "port_volume", "m3", "Oil that is left in the empty accumulator",
                        Number{.value = 1e-4, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter bulk_modulus{this, "bulk_modulus", "Pa", "Bulk modulus of the oil",
                         Number{.value = 1.6e9, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter atmospheric_pressure{
      this, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
      Number{.value = 1e5, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter vapour_pressure{this, "vapour_pressure", "Pa",
                            "Absolute vapour pressure of the oil; below 0 the oil never cavitates",
                            Number{.value = 100.0, .tunability = Tunability::kStructural}};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge)", 1e5};
  StateVariable oil{this, "oil", "m3", "Oil beyond the filling at zero pressure", 0, 1e-3};
  StateVariable port_pressure{this, "port_pressure", "Pa", "Pressure before the inlet",
                              Start{.value = 0.0, .nominal = 1e5, .when = inlet.Is(Inlet::kOrifice)}};
  StateVariable T{this, "temperature", "K", "Temperature of the gas", 293.15, 1.0, gas.Is(Gas::kThermal)};
  Output p{this, "p", "Pa", "Pressure at the port (gauge)", WrittenBy::kEfforts};
  Output p_oil{this, "p_oil", "Pa", "Pressure under the gas (gauge)", WrittenBy::kEfforts};
  Output p_gas{this, "p_gas", "Pa", "Pressure of the gas (gauge); above that of the oil when empty",
               WrittenBy::kEfforts};
  Output Vg{this, "gas_volume_now", "m3", "Volume of the gas", WrittenBy::kEfforts};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume"};
  Output q_in{this, "q_in", "m3/s", "Flow in"};

  Indicator warm_gas{this, "warm_gas",
                     "Difference of the temperatures of gas and shell over that of the shell",
                     gas.Is(Gas::kIsothermal, Gas::kPolytropic),
                     [this] { return Share(T - wall_temperature, wall_temperature); }};
  Indicator heat_of_compression{
      this, "heat_of_compression", "Rise of temperature in the thermal time, or until the volume has changed",
      gas.Is(Gas::kIsothermal),
      [this] { return heat_.R / heat_.cv * std::min(1.0, Share(q_in, Vg) * thermal_time); }};
  Indicator inlet_loss{this, "inlet_loss", "Pressure lost in the inlet over the pressure",
                       inlet.Is(Inlet::kNone), [this] {
                         const double root = q_in / K_;
                         return Share(root * root, std::max(p_oil + atmospheric_pressure, 10e5));
                       }};

  OilAlarms alarms{this};

  GasSpring gas_;  // through the point where the law took over
  ThermalGas heat_;
  double T_fixed_ = 0;    // of a real gas that keeps it [K]
  double stiffness_ = 1;  // beta/port_volume [Pa/m3]
  double vapour_ = 0;     // gauge vapour pressure [Pa]
  double oil_0_ = 0;      // at which the gas starts to be compressed [m3]
  double K_ = 0;          // of the inlet [m3/s/sqrt(Pa)]
};

}  // namespace davit
