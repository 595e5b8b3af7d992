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
  stop_stiffness_ = max_force / stop_deflection;
  stop_damping_ = 2 * stop_damping_ratio * std::sqrt(max_force / kGravity * stop_stiffness_);
  rod->added_mass = rod_mass;
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
}

}  // namespace davit
