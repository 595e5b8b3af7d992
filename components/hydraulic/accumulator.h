#pragma once

#include <algorithm>

#include "components/hydraulic/gas_spring.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Gas accumulator that is solved together with its neighbours.
class Accumulator final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.Accumulator",
      "Gas accumulator",
      {},
      "oil' = sum(q),  P*Vg^n = P0*V0^n,  P = p + p_atm,  P0 = precharge_pressure + p_atm,  V0 = gas_volume\n"
      "above the precharge Vg = V0 - (oil - oil_0);  below it the gas rests in its shell and only the oil "
      "in\n"
      "the port is left: p = bulk_modulus*oil/port_volume, not below 0.  oil_0 = port_volume*\n"
      "precharge_pressure/bulk_modulus.  c = p, Zc = 0 at every port; q into the accumulator, p gauge.\n"
      "Below Vg = V0/100 the law goes on along its tangent. hydraulic.AccumulatorC is the wave form.\n"};

  Accumulator();

  void ParametersChanged() override;
  void Reset() override;

  void EvaluateEfforts(double /*t*/) override {
    p = PressureOf(oil);
    for (std::size_t i = 0; i < port.size(); ++i) port[i].c = p;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double q = 0;
    for (std::size_t i = 0; i < port.size(); ++i) q += port[i].q;
    oil.ddt = q;
    Vg = gas_.V0 - std::max(0.0, oil - oil_0_);
  }

 private:
  double PressureOf(double volume) const {
    if (volume <= oil_0_) return std::max(0.0, port_stiffness_ * volume);
    return gas_.At(gas_.V0 - (volume - oil_0_)).P - atmospheric_pressure;
  }

  HydraulicPortArray port{this, "port", Role::kC, "Oil side"};
  Parameter gas_volume{
      this,      "gas_volume",           "m3", "Volume of the gas at the precharge pressure", 0.01,
      kPositive, Tunability::kStructural};
  Parameter precharge_pressure{
      this,      "precharge_pressure",   "Pa", "Gauge pressure of the gas without oil", 100e5,
      kPositive, Tunability::kStructural};
  Parameter polytropic_exponent{
      this,      "polytropic_exponent",  "", "n: 1 isothermal, 1.4 adiabatic (nitrogen)", 1.4,
      kPositive, Tunability::kStructural};
  Parameter port_volume{this,
                        "port_volume",
                        "m3",
                        "Oil between port and gas that stays when the gas has no more to give",
                        1e-3,
                        kPositive,
                        Tunability::kStructural};
  Parameter bulk_modulus{this,      "bulk_modulus",         "Pa", "Bulk modulus of the oil", 1.6e9,
                         kPositive, Tunability::kStructural};
  Parameter atmospheric_pressure{
      this,      "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0", 1e5,
      kPositive, Tunability::kStructural};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge)", 1e5};
  StateVariable oil{this, "oil", "m3", "Oil beyond what fills the port at zero pressure", 0, 1e-3};
  Output p{this, "p", "Pa", "Pressure (gauge)", WrittenBy::kEfforts};
  Output Vg{this, "gas_volume_now", "m3", "Volume of the gas"};

  GasSpring gas_;
  double port_stiffness_ = 0;  // beta/port_volume [Pa/m3]
  double oil_0_ = 0;           // where the gas begins to give way [m3]
};

}  // namespace davit
