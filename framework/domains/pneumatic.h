#pragma once

#include <algorithm>
#include <cmath>

#include "framework/port.h"

namespace davit {

/// Dry air as an ideal gas with constant specific heats, the only gas of the pneumatic domain.
struct Air {
  static constexpr double kR = 287.0;        ///< gas constant [J/kg/K]
  static constexpr double kHeatRatio = 1.4;  ///< cp/cv
  static constexpr double kCv = kR / (kHeatRatio - 1);
  static constexpr double kCp = kHeatRatio * kCv;
  // The reference atmosphere (ANR) of ISO 8778, and of ISO 6358: 20 degC, 65 % relative humidity.
  static constexpr double kReferencePressure = 1e5;        ///< [Pa]
  static constexpr double kReferenceTemperature = 293.15;  ///< [K]
  static constexpr double kReferenceDensity = 1.185;       ///< [kg/m3]

  /// Entropy [J/kg/K], 0 in the reference atmosphere. Below 1 Pa that of 1 Pa: an empty vessel has none.
  static double Entropy(double p, double T) {
    return kCp * std::log(T / kReferenceTemperature) - kR * std::log(std::max(p, 1.0) / kReferencePressure);
  }
};

/// A pneumatic connection: p = c + Zc*G, p absolute, G positive into the C component.
///
/// The gas brings its enthalpy along, H = G*cp*T, with the temperature of where it comes from. p*G is no
/// power: the power is the work that the gas could do down to the reference atmosphere.
struct PneumaticBond : Bond {
  double G = 0;       ///< mass flow into the C component [kg/s]
  double H = 0;       ///< enthalpy flow into the C component [W], above 0 K
  double T = 293.15;  ///< temperature of the gas in the C component [K]
  double p() const { return std::max(0.0, c + Zc * G); }
  /// The available power [W] into the C component: H - G*cp*T0 - T0*G*s, of the gas that passes.
  static double AvailablePower(const Bond& bond) {
    const auto& gas = static_cast<const PneumaticBond&>(bond);
    if (gas.G == 0 || !(gas.H / gas.G > 0)) return 0;
    const double passing = gas.H / (gas.G * Air::kCp);
    return gas.H - gas.G * Air::kReferenceTemperature * (Air::kCp + Air::Entropy(gas.p(), passing));
  }
  static const Domain kDomain;
};

inline constexpr Domain PneumaticBond::kDomain{
    .name = "pneumatic",
    .effort = {.name = "p", .unit = "Pa", .scale = 1e5},
    .variables = {{.name = "G", .unit = "kg/s", .of = OfBond<&PneumaticBond::G>},
                  {.name = "H", .unit = "W", .of = OfBond<&PneumaticBond::H>},
                  {.name = "T",
                   .unit = "K",
                   .of = OfBond<&PneumaticBond::T>,
                   .side = Role::kC,
                   .known = DomainVariable::Known::kAtEffort}},
    .bond = BondType::Of<PneumaticBond>(),
    .impedance_unit = "Pa.s/kg",
    .color = "#6a1b9a",
    .c_example = "pneumatic.Chamber",
    .q_example = "pneumatic.Orifice",
};

using PneumaticPort = Port<PneumaticBond>;
using PneumaticPortArray = PortArray<PneumaticBond>;

}  // namespace davit
