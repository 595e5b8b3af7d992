#include "components/hydraulic/cylinder_rod.h"

#include <fmt/format.h>

#include <limits>

namespace davit {

void OfferStart(const Component& cylinder, const StartValue& x_start, TranslationalBond& rod) {
  rod.x_start = x_start.is_given() ? -x_start : std::numeric_limits<double>::quiet_NaN();
  rod.x_start_owner = x_start.is_given() ? &cylinder : nullptr;
}

void CheckStart(const Component& cylinder, const CylinderTravel::Travel& travel, const TranslationalBond& rod,
                Diagnostics& diagnostics) {
  if (!travel.RefusesStart(rod.x_start)) return;
  diagnostics.Error(cylinder.location(), cylinder.DisplayPath(),
                    fmt::format("its start x = {0:.6g} m is beyond its stroke of {1:.6g} m; give 0 m, fully "
                                "retracted, to {1:.6g} m, fully extended",
                                -rod.x_start, travel.stroke));
}

void CheckCylinder(const Component& cylinder, double bore, double rod_diameter,
                   const CylinderTravel::Travel& travel, const TranslationalBond& rod,
                   Diagnostics& diagnostics) {
  if (rod_diameter >= bore) {
    diagnostics.Error(
        cylinder.location(), cylinder.DisplayPath(),
        fmt::format("rod ({} m) is not thinner than bore ({} m); the rod must fit into the barrel",
                    rod_diameter, bore));
  }
  CheckStart(cylinder, travel, rod, diagnostics);
}

}  // namespace davit
