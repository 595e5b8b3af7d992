#include "components/hydraulic/cooler.h"

#include <cmath>

namespace davit {

Cooler::Cooler() { EffortsRead({}); }

void Cooler::ParametersChanged() { K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop); }

double Cooler::Power(double flow, double T) const {
  const double stream = density * specific_heat * std::abs(flow);  // [W/K]
  if (!(stream > 0)) return 0;
  return stream * -std::expm1(-running * area * heat_transfer / stream) * (T - ambient_temperature);
}

}  // namespace davit
