#include "components/hydraulic/accumulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "components/hydraulic/laws/circle_area.h"
#include "components/lumped/absolute_temperature.h"

namespace davit {
namespace {

/// Above the critical temperature of nitrogen, with a margin [K].
constexpr double kLeastRealTemperature = 150;

}  // namespace

Accumulator::Accumulator() { EffortsRead({}); }

void Accumulator::ParametersChanged() {
  stiffness_ = bulk_modulus / port_volume;
  vapour_ = vapour_pressure - atmospheric_pressure;
  oil_0_ = precharge_pressure / stiffness_;
  K_ = OrificeCoefficient(discharge_coefficient, CircleArea(inlet_diameter), density);
  heat_.SetEquation(equation);
  heat_.m = heat_.Mass(precharge_pressure + atmospheric_pressure, gas_volume, gas_temperature);
  heat_.tau = thermal_time;
}

void Accumulator::CheckConnections(Diagnostics& diagnostics) {
  if (equation == GasEquation::kRedlichKwong && gas_temperature < kLeastRealTemperature) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("gas_temperature is {:.5g} K; give at least {:.5g} K with equation=\"redlich_kwong\": "
                    "colder nitrogen becomes liquid under pressure",
                    static_cast<double>(gas_temperature), kLeastRealTemperature));
  }
  CheckAbsoluteTemperature(*this, DeclarationOf(T), diagnostics);
  if (p_start.is_given() && DeclarationOf(oil).is_start_given) {
    diagnostics.Error(location(), DisplayPath(),
                      "its start is given twice, by 'p' and by 'oil'; give only one of them");
  }
}

double Accumulator::Exponent(Gas law) const {
  switch (law) {
    case Gas::kIsothermal: return 1;
    case Gas::kPolytropic: return polytropic_exponent;
    case Gas::kThermal: return 1 + heat_.R / heat_.cv;
  }
  return 1;
}

double Accumulator::GasPressure(double V) const {
  if (gas != Gas::kThermal && !HasFixedTemperature()) return gas_.At(V).P;
  // As GasSpring::At: along the tangent where hardly any gas is left.
  const double T_gas = gas == Gas::kThermal ? static_cast<double>(T) : T_fixed_;
  const double V_law = std::max(V, heat_.LeastVolume(gas_volume));
  return heat_.Pressure(T_gas, V_law) + heat_.Stiffness(T_gas, V_law) * (V_law - V);
}

Accumulator::Filling Accumulator::FillingNow() const {
  const double above = oil - oil_0_;
  const double V = above > 0 ? gas_volume - above : static_cast<double>(gas_volume);
  const double P = GasPressure(V);
  return {std::max(P - atmospheric_pressure + stiffness_ * std::min(above, 0.0), vapour_), P, V};
}

double Accumulator::VoidVolume() const {
  const double at_inlet = inlet == Inlet::kNone ? 0 : std::max(0.0, (vapour_ - port_pressure) / stiffness_);
  const double oil_at_vapour = oil_0_ - (p_gas - vapour_) / stiffness_;
  return at_inlet + std::max(0.0, oil_at_vapour - oil);
}

double Accumulator::GasEnergy() const {
  double energy = atmospheric_pressure * (Vg - gas_volume);
  if (gas == Gas::kThermal) {
    energy += heat_.Energy(T, LawVolume());
  } else if (HasFixedTemperature()) {
    energy += heat_.IsothermalWork(T_fixed_, gas_volume, Vg);
  } else {
    energy += gas_.Work(gas_.At(gas_volume).P, p_gas + atmospheric_pressure);
  }
  const double missing = OilMissing(), in_cavity = std::max(0.0, oil_0_ - oil) - missing;
  energy -= missing * (p_gas - stiffness_ * missing / 2) + in_cavity * vapour_;
  return energy;
}

double Accumulator::OilMissing() const {
  return std::min(std::max(0.0, oil_0_ - oil), std::max(0.0, (p_gas - vapour_) / stiffness_));
}

double Accumulator::TemperatureRate(double dVg) const {
  const double V = LawVolume();
  if (Vg >= V) return heat_.TemperatureRate(T, V, dVg, wall_temperature);
  // Along the tangent of the law, the work heats the gas as if it kept that volume.
  return heat_.TemperatureRate(T, V, 0, wall_temperature) -
         (p_gas + atmospheric_pressure) * dVg / heat_.HeatCapacity(T, V);
}

double Accumulator::HeatToShell() const {
  const double cooling = (T - wall_temperature) / heat_.tau;
  const double V = LawVolume();
  return (heat_.HeatCapacity(T, V) - heat_.PressureByTemperature(T, V) * OilMissing()) * cooling;
}

double Accumulator::PortEnergy() const {
  const double missing = std::min(port_pressure - vapour_, 0.0) / stiffness_;
  return p * p / (2 * stiffness_) + vapour_ * missing;
}

void Accumulator::Reset() {
  DynamicSimComponent::Reset();
  alarms.Reset();
  const double P0 = precharge_pressure + atmospheric_pressure;
  gas_ = {.P0 = P0, .V0 = gas_volume, .n = Exponent(gas)};
  T_fixed_ = gas_temperature;
  if (!DeclarationOf(T).is_start_given) T.OverrideStateValue(gas_temperature);
  if (!DeclarationOf(oil).is_start_given) {
    const double P = std::max(p_start + atmospheric_pressure, 1.0);
    const double V = gas == Gas::kThermal    ? heat_.Volume(P, T)
                     : HasFixedTemperature() ? heat_.Volume(P, T_fixed_)
                                             : gas_.Volume(P);
    const double below = GasPressure(gas_volume) - atmospheric_pressure - p_start;
    oil.OverrideStateValue(below > 0 ? oil_0_ - below / stiffness_ : oil_0_ + gas_volume - V);
  }
  if (!DeclarationOf(port_pressure).is_start_given) port_pressure.OverrideStateValue(FillingNow().p);
}

void Accumulator::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(gas)) {
    const double P = p_gas + atmospheric_pressure;
    gas_ = {.P0 = P, .V0 = Vg, .n = Exponent(gas)};
    T_fixed_ = heat_.Temperature(P, Vg);
    T.OverrideStateValue(T_fixed_);
  }
  double oil_ended = 0;
  double energy_ended = 0;
  if (change.HasChanged(inlet)) {
    const double sign = inlet == Inlet::kNone ? 1 : -1;
    if (inlet == Inlet::kOrifice) port_pressure.OverrideStateValue(p_oil);
    oil_ended += sign * (port_pressure / stiffness_);
    energy_ended += sign * (port_pressure * port_pressure / (2 * stiffness_));
  }
  change.ReleaseOil(oil_ended);
  change.ReleaseEnergy(energy_ended);
}

}  // namespace davit
