#pragma once

#include <array>
#include <string_view>

#include "components/hydraulic/laws/transmission_line.h"

namespace davit {

/// Line with an elastic wall.
class Hose final : public TransmissionLine {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Hose",
      .text = "Line with waves, elastic wall",
      .equations = R"(
A hydraulic.Line with 1/beta = 1/bulk_modulus + 1/beta_wall
expansion modulus:   1/beta_wall = 2/E*((d2^2 + d1^2)/(d2^2 - d1^2) + nu), a thick tube
expansion measured:  1/beta_wall = volumetric_expansion/(pi/4*d1^2)
d1 inner_diameter, d2 outer_diameter, E wall_modulus (hoses: 1e8 to 1e9 Pa), nu wall_poisson_ratio
)",
  };

  enum class Expansion { kModulus, kMeasured };
  static constexpr std::array<std::string_view, 2> kExpansionNames{"modulus", "measured"};

  void CheckConnections(Diagnostics& diagnostics) override;

 protected:
  double WallCompliance() const override;

 private:
  Property<Expansion> expansion{this, "expansion", "How the widening of the wall is given", kExpansionNames,
                                Choice{.value = Expansion::kModulus}};
  Parameter outer_diameter{this, "outer_diameter", "m", "Outer diameter",
                           Number{.value = 0.075,
                                  .range = kPositive,
                                  .tunability = Tunability::kStructural,
                                  .when = expansion.Is(Expansion::kModulus)}};
  Parameter wall_modulus{this, "wall_modulus", "Pa", "Modulus of elasticity of the wall",
                         Number{.value = 1e9,
                                .range = kPositive,
                                .tunability = Tunability::kStructural,
                                .when = expansion.Is(Expansion::kModulus)}};
  Parameter wall_poisson_ratio{this, "wall_poisson_ratio", "", "Poisson's ratio of the wall",
                               Number{.value = 0.3,
                                      .range = Range{.low = 0, .high = 0.5},
                                      .tunability = Tunability::kStructural,
                                      .when = expansion.Is(Expansion::kModulus)}};
  Parameter volumetric_expansion{this, "volumetric_expansion", "m2/Pa",
                                 "Volume gained per length and pressure, as in 0.1 cm3/m/bar",
                                 Number{.value = 1e-12,
                                        .range = kNonNegative,
                                        .tunability = Tunability::kStructural,
                                        .when = expansion.Is(Expansion::kMeasured)}};
};

}  // namespace davit
