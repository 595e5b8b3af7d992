#pragma once

#include "framework/domains/pneumatic.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// Compressed air of given pressure and temperature, whatever flows.
class Supply final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Supply",
      .text = "Supply of compressed air: given pressure and temperature",
      .equations = R"(
p = pressure (absolute),  T = temperature;  c = p, Zc = 0 at every port.
# Assumptions and limits
- The flow in or out is not limited. For a supply that yields, put a pneumatic.Orifice and a
  pneumatic.Chamber behind it.
- Dry air as an ideal gas, as in all pneumatic models: R is 287 J/kg/K, cp/cv is 1.4.
)",
  };

  Supply() { EffortsRead({pressure, temperature}); }

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      port[i].c = pressure;
      port[i].T = temperature;
    }
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double out = 0;
    for (std::size_t i = 0; i < port.size(); ++i) out -= port[i].G;
    G = out;
  }
  bool WritePartials(PartialDerivatives& partials) const override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      partials.Set(&port[i].c, pressure, 1);
      partials.Set(&port[i].T, temperature, 1);
      partials.Set(G, &port[i].G, -1);
    }
    return true;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("supply"); }

 private:
  PneumaticPortArray port{this, "port", Role::kC, "What is supplied"};
  Input pressure{this, "pressure", "Pa", "Absolute pressure", 7e5, kNonNegative};
  Input temperature{this,     "temperature", "K", "Temperature of the air", Air::kReferenceTemperature,
                    kPositive};
  Output G{this, "G", "kg/s", "Mass flow out of the supply"};
};

}  // namespace davit::pneumatic
