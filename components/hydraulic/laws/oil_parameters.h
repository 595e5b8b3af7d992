#pragma once

#include "components/hydraulic/laws/oil_compression.h"
#include "framework/parameter.h"

namespace davit {

/// The parameters of a model whose oil is compressible: of the oil, the air in it and where it cavitates.
/// hydraulic.Fluid gives those that are not given for the model itself.
struct OilParameters {
  OilParameters(Component* owner, OptionCondition when = {})  // NOLINT(google-explicit-constructor)
      : bulk_modulus{owner, "bulk_modulus", "Pa", "Bulk modulus of the oil",
                     Number{.value = 1.6e9, .range = kPositive, .when = when}},
        free_air{owner, "free_air", "", "Share of free air in the volume at p_atm (0.001 to 0.05 usual)",
                 Number{.value = 0.0, .range = Range{.low = 0, .high = 1, .high_open = true}, .when = when}},
        air_exponent{owner, "air_exponent", "", "Of the air: 1 slow to 1.4 fast; used only with free_air > 0",
                     Number{.value = 1.4, .range = kPositive, .when = when}},
        atmospheric_pressure{owner, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
                             Number{.value = 1e5, .range = kPositive, .when = when}},
        vapour_pressure{owner, "vapour_pressure", "Pa",
                        "Absolute vapour pressure of the oil; below 0 the oil never cavitates",
                        Number{.value = 100.0, .when = when}} {}

  /// Of the oil and its free air, a mixture.
  OilCompressionData Data() const {
    return {.bulk_modulus = bulk_modulus,
            .gas = free_air > 0 ? OilGas::kMixture : OilGas::kNone,
            .gas_share = free_air,
            .polytropic_exponent = air_exponent,
            .p_atm = atmospheric_pressure,
            .p_vapour = vapour_pressure};
  }

  Parameter bulk_modulus;
  Parameter free_air;
  Parameter air_exponent;
  Parameter atmospheric_pressure;
  Parameter vapour_pressure;
};

}  // namespace davit
