#include "components/electrical/transistor_amplifier.h"

#include <cmath>
#include <numbers>

namespace davit {

double TransistorAmplifier::EmitterCurrent(double u) const { return beta * std::expm1(u / U_F); }

void TransistorAmplifier::EvaluateAlgebraicEquations(double t) {
  Ue = amplitude * std::sin(2 * std::numbers::pi * frequency * t);
  const double g1 = EmitterCurrent(y2 - y3);
  const double g2 = EmitterCurrent(y5 - y6);
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

void TransistorAmplifier::AccountEnergy(EnergyTerms& terms) const {
  const auto square = [](double u) { return u * u; };
  terms.Stored("charge",
               C / 2 * (square(u1) + 2 * square(y3) + 3 * square(u4) + 4 * square(y6) + 5 * square(u7)));
  double heat = square(y1 - Ue) / R0, from_supply = 0;
  for (const double y : {double{y2}, double{y3}, double{y5}, double{y6}, double{y8}}) heat += square(y) / R;
  for (const double y : {double{y2}, double{y4}, double{y5}, double{y7}}) {
    heat += square(Ub - y) / R;
    from_supply += (Ub - y) / R;
  }
  const double g1 = EmitterCurrent(y2 - y3), g2 = EmitterCurrent(y5 - y6);
  terms.Lost("resistors", heat);
  terms.Lost("transistors",
             g1 * ((1 - alpha) * y2 + alpha * y4 - y3) + g2 * ((1 - alpha) * y5 + alpha * y7 - y6));
  terms.In("supply", Ub * from_supply);
  terms.In("signal", Ue * (Ue - y1) / R0);
}

}  // namespace davit
