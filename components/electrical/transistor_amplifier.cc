#include "components/electrical/transistor_amplifier.h"

#include <cmath>
#include <numbers>

namespace davit {

void TransistorAmplifier::EvaluateAlgebraicEquations(double t) {
  const auto g = [&](double u) { return beta * std::expm1(u / U_F); };
  const double Ue = amplitude * std::sin(2 * std::numbers::pi * frequency * t);
  const double g1 = g(y2 - y3);
  const double g2 = g(y5 - y6);
  y1 = u1 + y2;
  y4 = u4 + y5;
  y7 = u7 + y8;
  const double into_1 = -(y1 - Ue) / R0;  // current through C1, from y2's side
  const double into_4 = -(y4 - Ub) / R - alpha * g1;
  const double into_7 = -(y7 - Ub) / R - alpha * g2;
  u1.residual = C * u1.ddt - into_1;
  y3.residual = 2 * C * y3.ddt + y3 / R - g1;
  u4.residual = 3 * C * u4.ddt - into_4;
  y6.residual = 4 * C * y6.ddt + y6 / R - g2;
  u7.residual = 5 * C * u7.ddt - into_7;
  y2.residual = into_1 - (y2 / R + (y2 - Ub) / R + (1 - alpha) * g1);
  y5.residual = into_4 - (y5 / R + (y5 - Ub) / R + (1 - alpha) * g2);
  y8.residual = into_7 - y8 / R;
}

}  // namespace davit
