#include "components/hydraulic/directional_valve_2_2.h"

namespace davit {

void DirectionalValve22::ParametersChanged() {
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  jet_ =
      cavitation == JetCavitation::kNurick ? JetLimit(discharge_coefficient, vapour.p_vapour()) : JetLimit();
}

}  // namespace davit
