#pragma once

#include "components/lumped/store_c.h"

namespace davit::thermal {

/// A body of one temperature that stores heat, TLM variant (wave variables).
class CapacityC final : public StoreC<ThermalBond, &ThermalBond::Q> {
 public:
  static constexpr ModelInfo kInfo{
      .name = "thermal.CapacityC",
      .text = "Body of one temperature that stores heat, TLM variant (wave variables)",
      .equations = R"(
C*T' = sum(Q),  T = c + Zc*Q at each port, Q into the body
Zc = n*h/(2*C*(1 - filter)),  n ports, TimeStep h;  ' is one step ago:
m = mean(c_j' + 2*Zc*Q_j'),  c_j = filter*c_j' + (1 - filter)*(2*m - c_j' - 2*Zc*Q_j')
mean(c_j) = T, so no heat is lost, however long the run.
# Assumptions and limits
- One temperature in the whole body and a constant heat capacity.
- The delay of one TimeStep between the ports is an error that grows with the TimeStep; the filter damps the waves.
)",
  };

  CapacityC()
      : StoreC({.capacity = "heat_capacity",
                .capacity_unit = "J/K",
                .capacity_text = "Heat capacity of the body",
                .effort_text = "Temperature",
                .capacity_value = 1000.0,
                .start = {.value = 293.15, .nominal = 10}}) {}
};

}  // namespace davit::thermal
