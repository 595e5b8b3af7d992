#include "components/pneumatic/laws/tube_law.h"

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/circle_area.h"

namespace davit::pneumatic {

SonicConductance TubeConductance(double length, double diameter, double friction_factor, double inlet_loss) {
  const double K = friction_factor * length / diameter + inlet_loss;
  double low = 0, high = 1;  // 1/b^2 - 1 + 2 ln b falls from infinity to 0
  for (int i = 0; i < 60; ++i) {
    const double b = (low + high) / 2;
    (1 / (b * b) - 1 + 2 * std::log(b) > K ? low : high) = b;
  }
  const double b = (low + high) / 2;
  const double C =
      CircleArea(diameter) * b / (Air::kReferenceDensity * std::sqrt(Air::kR * Air::kReferenceTemperature));
  return {C, b, 0.5};
}

double TubeLoss(const SonicConductance& law, double G, double p1, double T1) {
  constexpr double kMost = 0.99999;
  const double p = std::max(p1, 1.0);
  const double g = std::abs(G) / law.Choked(p, T1);
  const double at = std::min(g, kMost);
  const double root = std::sqrt(1 - at * at);
  return p * (1 - law.b) * (1 - root + (g - at) * at / root);
}

}  // namespace davit::pneumatic
