#include "components/hydraulic/check_valve.h"

namespace davit {

void CheckValve::ParametersChanged() { K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop); }

}  // namespace davit
