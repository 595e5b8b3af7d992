#include "components/hydraulic/hose.h"

#include <fmt/format.h>

#include <numbers>

namespace davit {

double Hose::WallCompliance() const {
  const double inner = inner_diameter * inner_diameter;
  if (expansion == Expansion::kMeasured) return volumetric_expansion / (std::numbers::pi / 4 * inner);
  const double outer = outer_diameter * outer_diameter;
  return 2 / wall_modulus * ((outer + inner) / (outer - inner) + wall_poisson_ratio);
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
