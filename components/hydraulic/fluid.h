#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "components/hydraulic/laws/oil_viscosity.h"
#include "framework/defaults_provider.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "framework/signal.h"

namespace davit {

/// The oil of a system or sub-system.
class Fluid final : public Component, public DefaultsProvider {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Fluid",
      .text = "The oil of a system or sub-system, for all components in it",
      .equations = R"(
A component with hydraulic ports takes the following parameters from here, unless the system file
sets them at the component:
  density               rho, here or of the grade (at 15.6 degC)
  kinematic_viscosity   nu, here (then it does not follow the temperature) or of the grade
  bulk_modulus          beta of the oil; walls and air are the component's
  vapour_pressure       absolute
  atmospheric_pressure  absolute pressure at gauge pressure 0
  free_air              fraction of free air at atmospheric pressure
  air_exponent          polytropic exponent of the air
  gas_share             fraction of gas at all pressures, for compressibility Effective
  mean_pressure         at which lines, whose waves run at one speed, take the bulk modulus of oil with gas
  max_valid_pressure    up to which these numbers are valid; a component above it sets its alarm overpressure
## Viscosity
nu over the temperature T (C. Walther; ASTM D341), nu in mm2/s, T in K:  lg lg(nu + 0.7) = A - B*lg T,
through the viscosities of the grade at 40 and 100 degC:
  iso_vg_32  861.8 kg/m3  32.84  5.62 cSt      iso_vg_46  866.5 kg/m3  43.81  6.74 cSt
  iso_vg_68  871.8 kg/m3  67.89  8.90 cSt
The grade is chosen by oil="ISO VG 46", or by grade="iso_vg_46", which is the same.
## Scope
It applies to the system or sub-system that contains it, at all depths, unless another Fluid is nearer.
# Assumptions and limits
- max_valid_pressure is 700 bar: a density of mineral oil 3.8 % above that at 0,
  rho/rho_0 = 1 + 0.6*p/(1 + 1.7*p) with p in GPa [Dowson 1966], is 4.4 % by the constant bulk_modulus,
  and the viscosity, taken as that at 0, is four times as large, exp(p/500 bar) [Barus 1893] (with a usual
  coefficient of 2e-8 1/Pa).
- The oil is Newtonian: its viscosity does not depend on the shear rate.
- Flow laws use the density and viscosity at gauge pressure 0, whatever the pressure.
- Free air neither dissolves nor is released: its mass is constant.
# Temperature
The temperature T may be set in a run, and follows a hydraulic.OilHeat in the same system. With T change, at the next
communication point, all that is taken from here: nu as above, and
  density rho/(1 + thermal_expansion*(T - 288.75 K))
  free_air, gas_share times T/T_0, with T_0 the temperature in the system file, at which they are given
)",
  };

  void ParametersChanged() override;

  void Configure(Diagnostics& diagnostics) override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override;

  std::optional<double> DefaultFor(const Component& component,
                                   const ParameterDeclaration& parameter) const override;
  bool TakeChange() override;

  /// From now on the oil has the temperature [K] that this gives, in steps; not the parameter.
  void Follow(std::function<double()> followed) { followed_ = std::move(followed); }
  bool is_following() const { return static_cast<bool>(followed_); }
  /// Of the parameter [K].
  double start_temperature() const { return temperature; }

  double Temperature() const;         ///< [K]
  double Density() const;             ///< [kg/m3]
  double KinematicViscosity() const;  ///< [m2/s]

 private:
  /// How a user calls the oil.
  enum class Name : std::uint8_t { kOfGrade, kIsoVg32, kIsoVg46, kIsoVg68 };
  static constexpr Range kTemperatures{.low = 223.15, .high = 423.15};
  static constexpr std::array<std::string_view, 4> kNames{"of grade", "ISO VG 32", "ISO VG 46", "ISO VG 68"};
  OilGrade GradeInUse() const;
  /// Of the gas, whose share was given at another temperature.
  double WarmShare(double share) const;

  Property<Name> oil{this, "oil", "Name of the oil; of grade: as in grade", Name::kOfGrade, kNames};
  Property<OilGrade> grade{this, "grade", "Viscosity class (ISO 3448)", OilGrade::kIsoVg32, kOilGradeNames};
  Parameter temperature{this, "temperature", "K", "Temperature of the oil",
                        Number{.value = 313.15, .range = kTemperatures}};
  Parameter temperature_step{
      this, "temperature_step", "K",
      "Change of the temperature of a hydraulic.OilHeat after which the components use the new one",
      Number{.value = 0.1, .range = kNonNegative}};
  Parameter thermal_expansion{this, "thermal_expansion", "1/K",
                              "Expansion of the oil in volume (mineral oil: 7e-4)",
                              Number{.value = 0.0, .range = kNonNegative}};
  Parameter density{this, "density", "kg/m3", "Density of the oil; 0: that of the grade",
                    Number{.value = 0.0, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter kinematic_viscosity{
      this, "kinematic_viscosity", "m2/s", "Kinematic viscosity; 0: that of the grade at the temperature",
      Number{.value = 0.0, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter bulk_modulus{this, "bulk_modulus", "Pa", "Bulk modulus of the oil",
                         Number{.value = 1.6e9, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter vapour_pressure{
      this, "vapour_pressure", "Pa", "Absolute vapour pressure of the oil",
      Number{.value = 100.0, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter atmospheric_pressure{
      this, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
      Number{.value = 1e5, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter free_air{this, "free_air", "", "Fraction of free air at atmospheric pressure",
                     Number{.value = 0.0,
                            .range = Range{.low = 0, .high = 1, .high_open = true},
                            .tunability = Tunability::kStructural}};
  Parameter air_exponent{this, "air_exponent", "", "Polytropic exponent of the air: 1 slow to 1.4 fast",
                         Number{.value = 1.4, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter gas_share{this, "gas_share", "",
                      "Fraction of gas at all pressures, for compressibility Effective",
                      Number{.value = 1e-3,
                             .range = Range{.low = 0, .high = 1, .high_open = true},
                             .tunability = Tunability::kStructural}};
  Parameter mean_pressure{
      this, "mean_pressure", "Pa", "Pressure at which lines take the bulk modulus of oil with gas",
      Number{.value = 100e5, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter max_valid_pressure{
      this, "max_valid_pressure", "Pa", "Pressure up to which the numbers of the oil are valid",
      Number{.value = 700e5, .range = kPositive, .tunability = Tunability::kStructural}};
  Output oil_temperature{this, "oil_temperature", "K", "Temperature in use"};
  Output oil_density{this, "oil_density", "kg/m3", "Density in use"};
  Output oil_viscosity{this, "oil_viscosity", "m2/s", "Kinematic viscosity in use"};

  std::function<double()> followed_;
  double followed_temperature_ = 0;  // as it was taken last [K]
  double share_temperature_ = 0;     // for which shares of gas are given [K]; 0: any
  bool has_changed_ = false;
};

}  // namespace davit
