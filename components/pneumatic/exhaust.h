#pragma once

#include "framework/domains/pneumatic.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// The atmosphere.
class Exhaust final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Exhaust",
      .text = "The atmosphere, for air that leaves and air that is drawn in",
      .equations = R"(
p = pressure (absolute),  T = temperature;  c = p, Zc = 0 at every port.
# Assumptions and limits
- The atmosphere is unlimited. A silencer is a pneumatic.Orifice in front of it.
)",
  };

  Exhaust() { EffortsRead({}); }

  void ParametersChanged() override;
  void EvaluateDiffEquations(double /*t*/) override {
    double into = 0;
    for (std::size_t i = 0; i < port.size(); ++i) into += port[i].G;
    G = into;
  }
  bool WritePartials(PartialDerivatives& partials) const override {
    for (std::size_t i = 0; i < port.size(); ++i) partials.Set(G, &port[i].G, 1);
    return true;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("exhaust air"); }

 private:
  PneumaticPortArray port{this, "port", Role::kC, "Connections to the atmosphere"};
  Parameter pressure{this, "pressure", "Pa", "Absolute pressure", Air::kReferencePressure, kNonNegative};
  Parameter temperature{this, "temperature", "K", "Temperature", Air::kReferenceTemperature, kPositive};
  Output G{this, "G", "kg/s", "Mass flow into the atmosphere"};
};

}  // namespace davit::pneumatic
