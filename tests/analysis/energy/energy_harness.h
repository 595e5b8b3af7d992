#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "simulator/energy/energy_balance.h"
#include "tests/support/system_harness.h"

namespace davit {

/// A system of this content.
inline std::string EnergySystem(std::string_view content, std::string_view stop_time = "1 s",
                                std::string_view method = "rodas5p", std::string_view rtol = "1e-9") {
  return fmt::format(R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="{}">
    <Integration solver="ODE" method="{}" rtol="{}" atol="1e-11"/>
  </SimulatorManager>
  {}
</System>)",
                     stop_time, method, rtol, content);
}

/// Of its run from the start to the end.
inline EnergyBalance BalanceOf(const std::string& text, const SystemHarness::AddModels& add = {}) {
  SystemHarness system(text, add);
  EnergyAccounting accounting(system.system(), system.manager());
  system.Run();
  return accounting.Balance();
}

/// Of a component in a list; of all names where `name` is empty.
inline double EnergyAt(const std::vector<EnergyOf>& list, std::string_view component, std::string_view name) {
  double sum = 0;
  for (const EnergyOf& one : list) {
    if (one.component == component && (name.empty() || one.name == name)) sum += one.energy;
  }
  return sum;
}

}  // namespace davit
