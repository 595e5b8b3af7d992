#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "components/lumped/absolute_temperature.h"
#include "framework/archive.h"
#include "framework/domains/pneumatic.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// How the temperature of the gas in a volume follows what happens to it.
enum class Heat : std::uint8_t {
  kIsothermal,   ///< the gas keeps its temperature
  kPolytropic,   ///< T rho^(1 - n) is constant
  kHeatExchange  ///< balance of energy, with heat through the wall
};
inline constexpr std::array<std::string_view, 3> kHeatNames{"Isothermal", "Polytropic", "HeatExchange"};

/// What a volume of gas is told of its surroundings, as parameters of its owner.
class HeatParameters {
 public:
  explicit HeatParameters(DynamicSimComponent* owner)
      : heat{owner, "heat", "How the temperature of the air is found", kHeatNames,
             Presets{.ideal = Heat::kIsothermal,
                     .standard = Heat::kHeatExchange,
                     .advanced = Heat::kHeatExchange}},
        exponent{owner, "polytropic_exponent", "", "Exponent n: 1 isothermal, 1.4 adiabatic",
                 Number{.value = 1.2,
                        .range = Range{.low = 1, .high = Air::kHeatRatio},
                        .when = heat.Is(Heat::kPolytropic)}},
        transfer{owner, "heat_transfer", "W/m2/K", "Heat transfer coefficient of the wall; 0: adiabatic",
                 Number{.value = 30, .range = kNonNegative, .when = heat.Is(Heat::kHeatExchange)}},
        wall_temperature{owner, "wall_temperature", "K", "Temperature of the wall",
                         Number{.value = Air::kReferenceTemperature,
                                .range = kPositive,
                                .when = heat.Is(Heat::kHeatExchange)}} {}

  Aspect<Heat> heat;
  Parameter exponent;
  Parameter transfer;
  Parameter wall_temperature;
};

/// Reports a start at 0 K or below, or of a negative mass: what no gas has.
inline void CheckGasStart(const Component& owner, const StateDeclaration& mass,
                          const StateDeclaration& temperature, Diagnostics& diagnostics) {
  CheckAbsoluteTemperature(owner, temperature, diagnostics);
  if (!(mass.start[0] >= 0)) {
    diagnostics.Error(owner.location(), owner.DisplayPath(),
                      fmt::format("its start {} is {} kg; give 0 kg or more, or the pressure instead",
                                  mass.label.name, mass.start[0]));
  }
}

/// Names of the states of a GasState.
struct GasStateNames {
  Text mass;
  Text temperature;
  Text text;  ///< what it is the mass, the temperature of: `air in chamber A`
};

/// Air in a volume: its mass and temperature as states of its owner.
///
///   m' = sum(G),  p = m R T/V
///   Isothermal     T' = 0
///   Polytropic     T' = (n - 1) T (m'/m - V'/V)
///   HeatExchange   m cv T' = sum(H) - cv T m' - p V' + Q,  Q = h A (T_wall - T)
/// All options are equations of the same states, so a change of options keeps both, and the pressure.
class GasState {
 public:
  GasState(DynamicSimComponent* owner, const GasStateNames& names)
      : m_(owner, names.mass, "kg", names.text, 0, 1e-4),
        T_(owner, names.temperature, "K", names.text, Air::kReferenceTemperature, 10) {}

  double T() const { return T_; }
  double m() const { return m_; }
  double p(double V) const { return std::max(0.0, m_ * Air::kR * T_ / V); }
  const StateVariable& mass() const { return m_; }
  const StateVariable& temperature() const { return T_; }

  /// Lets the pressure be p in the volume V, at the present temperature.
  void SetPressure(double p, double V) { m_.OverrideStateValue(p * V / (Air::kR * T_)); }

  /// G and H flow in while V grows at the rate dV; `area` [m2] of the wall.
  void SetRates(const HeatParameters& by, double V, double dV, double area, double G, double H) {
    const double m = std::max(kLeastMass, static_cast<double>(m_)), T = T_;
    double rate = 0;
    switch (by.heat) {
      case Heat::kIsothermal: break;
      case Heat::kPolytropic: rate = (by.exponent - 1) * T * (G / m - dV / V); break;
      case Heat::kHeatExchange:
        rate = (H - Air::kCv * T * G - p(V) * dV + by.transfer * area * (by.wall_temperature - T)) /
               (m * Air::kCv);
        break;
    }
    m_.ddt = G;
    T_.ddt = rate;
    heating_ = H - Air::kCv * T * G - p(V) * dV;
    heat_ = m * Air::kCv * rate + Air::kCv * T * G + p(V) * dV - H;
  }
  /// How the last SetRates, with dV = 0, depends on the states and on G and H.
  struct Slopes {
    double T_m, T_T, T_G, T_H;      ///< of T'
    double heat_T, heat_G, heat_H;  ///< of the heat flow
  };
  Slopes SlopesOfRates(const HeatParameters& by, double area, double G, double H) const {
    const double m = m_, T = T_;
    const double more = by.exponent - 1, wall = by.transfer * area;
    const double exchanged = H - Air::kCv * T * G + wall * (by.wall_temperature - T);
    switch (by.heat) {
      case Heat::kIsothermal: break;
      case Heat::kPolytropic:
        return {-more * T * G / (m * m),
                more * G / m,
                more * T / m,
                0,
                Air::kCv * (more + 1) * G,
                Air::kCv * (more + 1) * T,
                -1};
      case Heat::kHeatExchange:
        return {-exchanged / (m * m * Air::kCv),
                -(Air::kCv * G + wall) / (m * Air::kCv),
                -T / m,
                1 / (m * Air::kCv),
                -wall,
                0,
                0};
    }
    return {0, 0, 0, 0, Air::kCv * G, Air::kCv * T, -1};
  }
  /// Whether it holds: there is air.
  bool has_slopes() const { return m_ > kLeastMass && T_ > 0; }

  /// Heat flow into the air [W] that the option implies, of the last SetRates.
  double heat_flow() const { return heat_; }

  /// How far the temperature moves from that of the wall, over it, while what was last done to the air lasts:
  /// with the heat transfer of the wall, and at most 0.3.
  double HeatingShare(const HeatParameters& by, double area) const {
    const double heating = std::abs(heating_);
    return heating == 0 ? 0 : heating / (by.transfer * area * T_ + heating / 0.3);
  }

  /// Energy [J] that the air in V could give down to the reference atmosphere: U + p0 V - T0 S - m cp T0.
  double AvailableEnergy(double V) const {
    constexpr double T0 = Air::kReferenceTemperature;
    if (!(m_ > 0)) return Air::kReferencePressure * V;
    return m_ * (Air::kCv * T_ - Air::kCp * T0 - T0 * Air::Entropy(p(V), T_)) + Air::kReferencePressure * V;
  }
  /// Available power [W] that is lost when what flows in mixes with the air.
  double MixingLoss(double G, double H) const {
    if (G == 0 || !(H / G > 0)) return 0;
    const double passing = H / (G * Air::kCp);
    return Air::kReferenceTemperature * G * Air::kCp * (std::log(T_ / passing) + passing / T_ - 1);
  }
  /// The same of heat that the air gives to the wall.
  double HeatLoss() const { return heat_ * (Air::kReferenceTemperature / T_ - 1); }

  /// What the last SetRates left for those who look.
  void ArchiveMemory(Archive& archive) { archive(heat_, heating_); }

 private:
  static constexpr double kLeastMass = 1e-15;  // [kg]

  StateVariable m_;
  StateVariable T_;
  double heat_ = 0;     // [W]
  double heating_ = 0;  // by flows and work [W]
};

}  // namespace davit::pneumatic
