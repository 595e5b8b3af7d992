#include "components/hydraulic/orifice.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace davit {

void Orifice::ParametersChanged() {
  K_ = OrificeCoefficient(discharge_coefficient, area, density);
  is_smooth_ = law == Law::kSmooth;
  const double A = area;
  if (A > 0) {
    const double diameter = std::sqrt(4 * A / std::numbers::pi);
    laminar_loss_ =
        hydraulic_diameter > 0
            ? laminar_coefficient * kinematic_viscosity * density / (2 * A * hydraulic_diameter)
            : laminar_coefficient * std::numbers::pi * diameter * kinematic_viscosity * density / (8 * A * A);
    turbulent_loss_ = 1 / (K_ * K_);
  } else {
    laminar_loss_ = turbulent_loss_ = std::numeric_limits<double>::infinity();
  }
}

}  // namespace davit
