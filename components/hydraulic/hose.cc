#include "components/hydraulic/hose.h"

#include <fmt/format.h>

#include <limits>

#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/wall_compliance.h"

namespace davit {

const HoseData* Hose::Data() const {
  return size == Size::kOwn ? nullptr : &kHoses[static_cast<std::size_t>(static_cast<Size>(size)) - 1];
}

double Hose::InnerDiameter() const {
  return Data() == nullptr ? static_cast<double>(inner_diameter) : Data()->inner_diameter;
}

double Hose::OuterDiameter() const {
  return Data() == nullptr ? static_cast<double>(outer_diameter) : Data()->outer_diameter;
}

double Hose::OperatingPressure() const {
  if (operating_pressure > 0) return operating_pressure;
  return Data() == nullptr ? std::numeric_limits<double>::infinity() : Data()->operating_pressure;
}

double Hose::WallCompliance() const {
  switch (expansion) {
    case Expansion::kMeasured: return volumetric_expansion / CircleArea(InnerDiameter());
    case Expansion::kThin: return ThinWallCompliance(InnerDiameter(), OuterDiameter(), wall_modulus);
    case Expansion::kModulus: break;
  }
  return ThickWallCompliance(InnerDiameter(), OuterDiameter(), wall_modulus, wall_poisson_ratio);
}

void Hose::CheckConnections(Diagnostics& diagnostics) {
  if (expansion != Expansion::kMeasured && OuterDiameter() <= InnerDiameter()) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("outer_diameter ({} m) is not larger than inner_diameter ({} m); make it so, or set "
                    "expansion=\"measured\" and give volumetric_expansion",
                    OuterDiameter(), InnerDiameter()));
  }
  if (expansion == Expansion::kThin && !IsThinWall(InnerDiameter(), OuterDiameter())) {
    diagnostics.Warning(location(), DisplayPath(),
                        "expansion thin is for walls of at most a tenth of the inner diameter; take "
                        "expansion=\"modulus\"");
  }
}

}  // namespace davit
