#include "components/hydraulic/relief_valve.h"

#include <numbers>

namespace davit {

ReliefValve::ReliefValve() { EffortsRead({}); }

void ReliefValve::ParametersChanged() {
  const double area = std::numbers::pi / 4 * seat_diameter * seat_diameter;
  K_ = OrificeCoefficient(discharge_coefficient, area, density);
  per_opening_range_ = 1 / opening_range;
}

}  // namespace davit
