#include "components/hydraulic/directional_valve_2_2.h"

namespace davit {

DirectionalValve22::DirectionalValve22() { EffortsRead({}); }

void DirectionalValve22::ParametersChanged() {
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
}

}  // namespace davit
