#pragma once

#include "components/hydraulic/laws/gas_spring.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/vapour_cavity.h"
#include "framework/archive.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Gas accumulator, TLM variant (wave variables).
class AccumulatorC final : public TlmComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.AccumulatorC",
      .text = "Gas accumulator, TLM variant (wave variables)",
      .equations = R"(
P*Vg^n = P0*V0^n,  P = p + p_atm,  P0 = precharge_pressure + p_atm,  V0 = gas_volume,  p gauge
oil' = q, q into the accumulator;  above the precharge Vg = V0 - (oil - oil_0)
Below it the gas fills its shell (Vg = V0) and only the oil in the port is left: p = beta*oil/port_volume,
so an empty accumulator gives no oil.  oil_0 = port_volume*precharge_pressure/beta
Trapezoidal rule, linear about the flow q' one step ago:  o = oil + h/2*q',
Zc = h/2*dp/doil at o,  c = p(o) - Zc*q'.
Cavitation: if p would fall below vapour_pressure, it stays there and a cavity of the volume
void_volume opens, as in hydraulic.VolumeC.
# Assumptions and limits
- The separator has no mass, friction or stiffness, and the inlet no loss.
- The exponent is constant, whatever the speed of charging: the temperature of the gas is not computed.
- The gas is ideal. At 300 bar real nitrogen is about 10 % stiffer.
- Only the oil of port_volume is compressible; the oil that compresses the gas is not.
- Below Vg = V0/100 the gas law continues along its tangent: no stop limits the filling.
)",
  };

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void InitializeWaves() override;
  bool SettleWaves() override;
  void RestartWaves(bool /*has_moved*/) override { Offer(q_inside_); }
  void SimulateOneTimestep(double t) override;
  /// The gas takes it.
  double PowerBesidePorts() const override { return -port->p() * port->q; }
  void PostIntegrate() override { alarms.Look(p, OilAlarms::IsVoid(void_volume, port_volume)); }
  void ArchiveMemory(Archive& archive) override { archive(cavity_, q_inside_); }

 private:
  OilAlarms alarms{this};
  struct Spring {
    double p;      ///< gauge [Pa]
    double slope;  ///< dp/doil [Pa/m3]
  };
  /// The pressure of this much oil without cavitation.
  Spring Law(double oil_inside) const;
  /// The oil at a gauge pressure.
  double OilAt(double pressure) const;
  /// Waves for the step in which q flows into the port, if it stays as it is.
  void Offer(double q);

  HydraulicPort port{this, "port", Role::kC, "Oil side"};
  Parameter gas_volume{this, "gas_volume", "m3", "Volume of the gas at the precharge pressure",
                       Number{.value = 0.01, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter precharge_pressure{
      this, "precharge_pressure", "Pa", "Gauge pressure of the gas without oil",
      Number{.value = 100e5, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter polytropic_exponent{
      this, "polytropic_exponent", "", "n: 1 isothermal, 1.4 adiabatic (nitrogen)",
      Number{.value = 1.4, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter port_volume{this, "port_volume", "m3",
                        "Oil between port and gas that is left in the empty accumulator",
                        Number{.value = 1e-4, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter bulk_modulus{this, "bulk_modulus", "Pa", "Bulk modulus of the oil",
                         Number{.value = 1.6e9, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter atmospheric_pressure{
      this, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
      Number{.value = 1e5, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter vapour_pressure{
      this, "vapour_pressure", "Pa", "Absolute vapour pressure of the oil; below 0 the oil never cavitates",
      Number{.value = kVapourPressure, .range = kAny, .tunability = Tunability::kStructural}};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge)", 1e5};
  StateVariable oil{this, "oil", "m3", "Oil beyond the filling of the port at zero pressure", 0, 1e-3};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume"};
  Output Vg{this, "gas_volume_now", "m3", "Volume of the gas"};

  VapourCavity cavity_;
  GasSpring gas_;
  double q_inside_ = 0;        // flow of the last step into the oil, past the cavity [m3/s]
  double port_stiffness_ = 0;  // beta/port_volume [Pa/m3]
  double oil_0_ = 0;           // at which the gas starts to be compressed [m3]
  double vapour_ = 0;          ///< gauge vapour pressure [Pa]
};

}  // namespace davit
