#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Pressure that a signal sets, whatever flows.
class PressureSource final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.PressureSource",
      .text = "Pressure set by a signal",
      .equations = R"(
p = pressure (gauge), c = p, Zc = 0 at every port.
# Assumptions and limits
- The flow in or out is not limited, and neither is the power.
- The pressure follows its signal immediately, at any flow: there is no internal resistance.
)",
  };

  PressureSource();

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      port[i].c = pressure;
      port[i].Zc = 0;
    }
  }

  double PowerBesidePorts() const override {
    double power = 0;
    for (std::size_t i = 0; i < port.size(); ++i) power -= port[i].p() * port[i].q;
    return power;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("source"); }

 private:
  HydraulicPortArray port{this, "port", Role::kC, "Connections to the source"};
  Input pressure{this, "pressure", "Pa", "Gauge pressure", 0.0};
};

}  // namespace davit
