#include "components/hydraulic/accumulator_c.h"

#include <algorithm>

namespace davit {

void AccumulatorC::ParametersChanged() {
  vapour_ = vapour_pressure - atmospheric_pressure;
  port_stiffness_ = bulk_modulus / port_volume;
  oil_0_ = precharge_pressure / port_stiffness_;
  gas_ = {.P0 = precharge_pressure + atmospheric_pressure, .V0 = gas_volume, .n = polytropic_exponent};
}

void AccumulatorC::CheckConnections(Diagnostics& diagnostics) {
  if (p_start.is_given() && DeclarationOf(oil).is_start_given) {
    diagnostics.Error(location(), DisplayPath(),
                      "its start is given twice, by 'p' and by 'oil'; give only one of them");
  }
}

void AccumulatorC::Reset() {
  TlmComponent::Reset();
  alarms.Reset();
  if (!DeclarationOf(oil).is_start_given) oil.OverrideStateValue(OilAt(p_start));
}

double AccumulatorC::OilAt(double pressure) const {
  if (pressure <= precharge_pressure) return pressure / port_stiffness_;
  return oil_0_ + gas_volume - gas_.Volume(pressure + atmospheric_pressure);
}

AccumulatorC::Spring AccumulatorC::Law(double oil_inside) const {
  if (oil_inside <= oil_0_) return {port_stiffness_ * oil_inside, port_stiffness_};
  const GasSpring::Point gas = gas_.At(gas_volume - (oil_inside - oil_0_));
  return {gas.P - atmospheric_pressure, gas.slope};
}

void AccumulatorC::Offer(double q) {
  // Oil and cavity are in equilibrium after every step.
  void_volume = std::max(0.0, OilAt(vapour_) - oil);
  cavity_.SetVolume(void_volume);
  const double inside = oil + void_volume;
  const Spring next = Law(inside + h() / 2 * q);
  const double Zc = h() / 2 * next.slope;
  cavity_.Offer({next.p - Zc * q, Zc}, vapour_, h(), *port);
  p = void_volume > 0 ? vapour_ : Law(inside).p;
  Vg = gas_volume - std::max(0.0, oil - oil_0_);
}

void AccumulatorC::InitializeWaves() {
  q_inside_ = 0;
  Offer(q_inside_);
}

bool AccumulatorC::SettleWaves() {
  q_inside_ = port->q;
  oil.AdvanceTo(oil, q_inside_);
  Offer(q_inside_);
  return true;
}

void AccumulatorC::SimulateOneTimestep(double /*t*/) {
  const double q = port->q;
  oil.AdvanceTo(oil + h() * q, q);
  q_inside_ = cavity_.Take(*port, h());
  Offer(q_inside_);
}

}  // namespace davit
