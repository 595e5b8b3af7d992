#include "components/hydraulic/accumulator.h"

namespace davit {

Accumulator::Accumulator() { EffortsRead({}); }

void Accumulator::ParametersChanged() {
  gas_ = {.P0 = precharge_pressure + atmospheric_pressure, .V0 = gas_volume, .n = polytropic_exponent};
  port_stiffness_ = bulk_modulus / port_volume;
  oil_0_ = precharge_pressure / port_stiffness_;
}

void Accumulator::Reset() {
  DynamicSimComponent::Reset();
  if (DeclarationOf(oil).is_start_given) return;
  const double p_0 = p_start;
  oil.OverrideStateValue(p_0 <= precharge_pressure
                             ? p_0 / port_stiffness_
                             : oil_0_ + gas_.V0 - gas_.Volume(p_0 + atmospheric_pressure));
}

}  // namespace davit
