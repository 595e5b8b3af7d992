#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/oil_compression.h"
#include "framework/parameter.h"

namespace davit {

/// How the oil of a model gives way, as an option of its `compressibility`. Walls come on top.
enum class OilLaw : std::uint8_t {
  kConstant,   ///< constant bulk modulus, or the mixture with free_air where that is above 0
  kEffective,  ///< 1/beta_e = 1/beta + gas_share/P
  kAir,        ///< 1/beta_e = 1/beta + free_air*(p_atm/P)^(1/n)/(n*P)
};
inline constexpr std::array<std::string_view, 3> kOilLawNames{"Constant", "Effective", "Air"};

/// The parameters of a model whose oil is compressible: of the oil, the air in it and where it cavitates.
/// hydraulic.Fluid gives those that are not given for the model itself.
struct OilParameters {
  /// `absolute_when`: while the atmospheric and the vapour pressure are used, where that is not `when`.
  OilParameters(Component* owner, OptionCondition when = {},  // NOLINT(google-explicit-constructor)
                Tunability tunability = Tunability::kLive, OptionCondition absolute_when = {})
      : bulk_modulus{owner, "bulk_modulus", "Pa", "Bulk modulus of the oil",
                     Number{.value = 1.6e9, .range = kPositive, .tunability = tunability, .when = when}},
        free_air{owner, "free_air", "", "Fraction of free air in the volume at p_atm (0.001 to 0.05 usual)",
                 Number{.value = 0.0,
                        .range = Range{.low = 0, .high = 1, .high_open = true},
                        .tunability = tunability,
                        .when = when}},
        air_exponent{owner, "air_exponent", "",
                     "Polytropic exponent of the air: 1 slow to 1.4 fast; used only with free_air > 0",
                     Number{.value = 1.4, .range = kPositive, .tunability = tunability, .when = when}},
        gas_share{owner, "gas_share", "",
                  "Fraction of gas, the same at all pressures; used only with compressibility Effective "
                  "and EffectiveDilation",
                  Number{.value = 1e-3,
                         .range = Range{.low = 0, .high = 1, .high_open = true},
                         .tunability = tunability,
                         .when = when}},
        atmospheric_pressure{owner, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
                             Number{.value = 1e5,
                                    .range = kPositive,
                                    .tunability = tunability,
                                    .when = absolute_when.is_always() ? when : absolute_when}},
        vapour_pressure{owner, "vapour_pressure", "Pa",
                        "Absolute vapour pressure of the oil; below 0 the oil never cavitates",
                        Number{.value = 100.0,
                               .tunability = tunability,
                               .when = absolute_when.is_always() ? when : absolute_when}} {}

  /// The law by which the modulus depends on the pressure: that of the free air, if there is any.
  OilLaw PressureDependentLaw() const { return free_air > 0 ? OilLaw::kConstant : OilLaw::kEffective; }
  /// What gas_share adds to 1/bulk_modulus at p [Pa] [1/Pa]; nothing if free_air is in all laws.
  double GasCompliance(double p) const {
    return free_air > 0 ? 0 : gas_share / std::max(p + atmospheric_pressure, 1e-2 * atmospheric_pressure);
  }
  /// Of the oil and its gas.
  OilCompressionData Data(OilLaw law = OilLaw::kConstant) const {
    return {.bulk_modulus = bulk_modulus,
            .gas = law == OilLaw::kEffective ? OilGas::kConstant
                   : law == OilLaw::kAir     ? OilGas::kFreeAir
                                             : OilGas::kMixture,
            .gas_share = law == OilLaw::kEffective ? gas_share : free_air,
            .polytropic_exponent = air_exponent,
            .p_atm = atmospheric_pressure,
            .p_vapour = vapour_pressure};
  }
  /// Of a model whose aspect `compressibility` also has options with an elastic wall.
  template <class Option>
  OilCompression CompressionOf(Option option, double wall_compliance) const {
    const OilLaw law = option == Option::kEffective           ? OilLaw::kEffective
                       : option == Option::kAir               ? OilLaw::kAir
                       : option == Option::kEffectiveDilation ? PressureDependentLaw()
                                                              : OilLaw::kConstant;
    OilCompressionData data = Data(law);
    if (option == Option::kDilation || option == Option::kEffectiveDilation)
      data.wall_compliance = wall_compliance;
    return OilCompression(data);
  }

  Parameter bulk_modulus;
  Parameter free_air;
  Parameter air_exponent;
  Parameter gas_share;
  Parameter atmospheric_pressure;
  Parameter vapour_pressure;
};

}  // namespace davit
