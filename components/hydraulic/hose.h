#pragma once

#include <array>
#include <string_view>

#include "components/hydraulic/laws/pipe_tables.h"
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
expansion thin:      1/beta_wall = (d1 + d2)/(E*(d2 - d1)), a thin tube (a wall of at most d1/10)
size own:  d1 and d2 are inner_diameter and outer_diameter;  otherwise a high-pressure hose of table 3-5 of
[Li 2016], with an alarm above its operating pressure:
         d1, d2 mm       operating, rupture pressure bar   least bend radius mm
  DN10    9.52  21.4      350  1400                         125
  DN12   12.7   24.6      280  1100                         180
  DN20   19.1   31.7      210   850                         240
  DN25   25.4   39.7      210   850                         305
d1 inner_diameter, d2 outer_diameter, E wall_modulus (hoses: 1e8 to 1e9 Pa), nu wall_poisson_ratio
# Assumptions and limits
- As hydraulic.Line. The wall is elastic by Hooke's law, without mass, creep or internal damping: real
  hoses are stiffer at high pressures and at high frequencies, and damp more.
- Bends, fittings and the change of length under pressure are neglected.
- Above the operating pressure only the alarm overload is set. The hose bursts if a chart, an <At> or
  davit faults sets external_leak, which is 1000 l/min at 100 bar for burst.
)",
  };

  enum class Expansion { kModulus, kMeasured, kThin };
  static constexpr std::array<std::string_view, 3> kExpansionNames{"modulus", "measured", "thin"};
  enum class Size { kOwn, kDn10, kDn12, kDn20, kDn25 };
  static constexpr std::array<std::string_view, 5> kSizeNames{"own", "DN10", "DN12", "DN20", "DN25"};

  void CheckConnections(Diagnostics& diagnostics) override;

 protected:
  double WallCompliance() const override;
  double InnerDiameter() const override;
  double OperatingPressure() const override;

 private:
  double OuterDiameter() const;
  /// Null where the size is own.
  const HoseData* Data() const;

  Property<Size> size{this, "size", "Hose of the table, or with the diameters given", Size::kOwn, kSizeNames};
  Parameter operating_pressure{
      this, "operating_pressure", "Pa",
      "Pressure above which the alarm overload is set; 0: that of the size, without size none",
      Number{.value = 0.0, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Property<Expansion> expansion{this, "expansion", "Data of the wall expansion", kExpansionNames,
                                Choice{.value = Expansion::kModulus}};
  Parameter outer_diameter{this, "outer_diameter", "m", "Outer diameter",
                           Number{.value = 0.075,
                                  .range = kPositive,
                                  .tunability = Tunability::kStructural,
                                  .when = expansion.Is(Expansion::kModulus, Expansion::kThin)}};
  Parameter wall_modulus{this, "wall_modulus", "Pa", "Modulus of elasticity of the wall",
                         Number{.value = 1e9,
                                .range = kPositive,
                                .tunability = Tunability::kStructural,
                                .when = expansion.Is(Expansion::kModulus, Expansion::kThin)}};
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
