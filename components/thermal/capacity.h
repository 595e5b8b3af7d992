#pragma once

#include "components/lumped/absolute_temperature.h"
#include "simulator/dynamic_sim_component.h"

namespace davit::thermal {

/// A body of one temperature that stores heat.
class Capacity final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "thermal.Capacity",
      .text = "Body of one temperature that stores heat",
      .equations = R"(
C*T' = sum(Q),  Q into the body at every port;  c = T, Zc = 0.  C = mass*specific_heat.
# Assumptions and limits
- One temperature in the whole body (small Biot number): heat spreads inside much faster than it passes the
  surface.
- The heat capacity is constant: it does not follow the temperature, and nothing melts or boils.
)",
  };

  Capacity() { EffortsRead({}); }

  void CheckConnections(Diagnostics& diagnostics) override {
    CheckAbsoluteTemperature(*this, DeclarationOf(T), diagnostics);
  }
  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t j = 0; j < port.size(); ++j) port[j].c = T;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double into = 0;
    for (std::size_t j = 0; j < port.size(); ++j) into += port[j].Q;
    T.ddt = into / C;
  }

 private:
  ThermalPortArray port{this, "port", Role::kC, "Where heat flows in and out"};
  Parameter C{this, "heat_capacity", "J/K", "Heat capacity of the body", 1000.0, kPositive};
  StateVariable T{this, "T", "K", "Temperature", 293.15, 10};
};

}  // namespace davit::thermal
