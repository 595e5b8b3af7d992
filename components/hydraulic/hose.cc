#include "components/hydraulic/hose.h"

#include <fmt/format.h>

#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/wall_compliance.h"

namespace davit {

double Hose::WallCompliance() const {
  if (expansion == Expansion::kMeasured) return volumetric_expansion / CircleArea(inner_diameter);
  return ThickWallCompliance(inner_diameter, outer_diameter, wall_modulus, wall_poisson_ratio);
}

void Hose::CheckConnections(Diagnostics& diagnostics) {
  if (expansion == Expansion::kModulus && outer_diameter <= inner_diameter) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("outer_diameter ({} m) is not larger than inner_diameter ({} m); make it so, or set "
                    "expansion=\"measured\" and give volumetric_expansion",
                    static_cast<double>(outer_diameter), static_cast<double>(inner_diameter)));
  }
}

}  // namespace davit
