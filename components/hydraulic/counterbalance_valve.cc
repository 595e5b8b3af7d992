#include "components/hydraulic/counterbalance_valve.h"

namespace davit {

CounterbalanceValve::CounterbalanceValve() { EffortsRead({}); }

void CounterbalanceValve::ParametersChanged() {
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  per_pilot_range_ = 1 / pilot_range;
  pilot->q = 0;
}

}  // namespace davit
