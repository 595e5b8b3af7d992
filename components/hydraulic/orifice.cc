#include "components/hydraulic/orifice.h"

namespace davit {

Orifice::Orifice() { EffortsRead({}); }

void Orifice::ParametersChanged() { K_ = OrificeCoefficient(discharge_coefficient, area, density); }

}  // namespace davit
