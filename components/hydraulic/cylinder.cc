#include "components/hydraulic/cylinder.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace davit {
namespace {

constexpr double kGravity = 9.81;  // [m/s2]

double CircleArea(double diameter) { return std::numbers::pi / 4 * diameter * diameter; }

}  // namespace

Cylinder::Cylinder() { EffortsRead({a, b, rod}); }

void Cylinder::ParametersChanged() {
  piston_area_ = CircleArea(bore);
  ring_area_ = piston_area_ - CircleArea(rod_diameter);
  const double max_force = max_pressure * piston_area_;
  const bool has_rigid_stops = stops == Stops::kRigid;
  stop_stiffness_ = has_rigid_stops ? 0 : max_force / stop_deflection;
  stop_damping_ = 2 * stop_damping_ratio * std::sqrt(max_force / kGravity * stop_stiffness_);
  rod->added_mass = rod_mass;
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  rod->x_min = has_rigid_stops ? -stroke : -kAnywhere;
  rod->x_max = has_rigid_stops ? 0 : kAnywhere;
  rod->restitution = stop_restitution;
  rod->wants_located_stops = has_rigid_stops;
  rod->x_start = x_start.is_given() ? -x_start : std::numeric_limits<double>::quiet_NaN();
  rod->x_start_owner = x_start.is_given() ? this : nullptr;
}

void Cylinder::CheckConnections(Diagnostics& diagnostics) {
  if (rod_diameter >= bore) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("rod ({} m) is not thinner than bore ({} m); the rod must fit into the barrel",
                    static_cast<double>(rod_diameter), static_cast<double>(bore)));
  }
  if (stops == Stops::kRigid && !rod->keeps_travel) {
    diagnostics.Error(
        location(), DisplayPath(),
        "its stops are rigid, but what stands at its rod does not stop at the ends of a travel; "
        "connect the rod to a mechanical.Mass, or take stops=\"elastic\"");
  }
}

}  // namespace davit
