#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit::thermal {

/// Surroundings whose temperature a signal sets, whatever heat flows.
class Temperature final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "thermal.Temperature",
      .text = "Boundary of given temperature: air, sea, cooling water",
      .equations = R"(
T = temperature at any heat flow; c = T, Zc = 0 at every port.
# Assumptions and limits
- The temperature is kept at any heat flow: the surroundings have an unlimited heat capacity.
)",
  };

  Temperature() { EffortsRead({temperature}); }

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t j = 0; j < port.size(); ++j) port[j].c = temperature;
  }

 private:
  ThermalPortArray port{this, "port", Role::kC, "Connections to the boundary"};
  Input temperature{this, "temperature", "K", "Temperature", 293.15, kPositive};
};

}  // namespace davit::thermal
