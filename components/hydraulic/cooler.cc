#include "components/hydraulic/cooler.h"

#include <cmath>

namespace davit {

void Cooler::Configure(Diagnostics& /*diagnostics*/) {
  SetStateActive(temperature, balance == Balance::kOwn);
}

void Cooler::ParametersChanged() { K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop); }

double Cooler::Power(double flow, double T) const {
  const double stream = density * specific_heat * std::abs(flow);  // [W/K]
  const double KA = running * area * heat_transfer;
  if (!(stream > 0)) return 0;
  const double u = KA / stream;
  // (1 - exp(-u))/u, whose limit for much flow is 1.
  const double share = u > 1e-8 ? -std::expm1(-u) / u : 1 - u / 2;
  return KA * share * (T - ambient_temperature);
}

}  // namespace davit
