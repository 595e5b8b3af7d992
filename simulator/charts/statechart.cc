#include "simulator/charts/statechart.h"

#include <filesystem>

#include "simulator/charts/chart_set.h"
#include "simulator/charts/default_chart.h"
#include "simulator/simulator_manager.h"

namespace davit {

void Statechart::Link(System& system, Diagnostics& diagnostics) {
  chart_.set_chooses_levels(chooses_levels_);
  if (source_.value().empty() && parent()->has_behaviours()) {
    chart_.LoadDefault(system, SimulatorManager::Of(system).charts(), *parent(), DefaultChartText(*parent()),
                       DefaultChartPath(*parent()), diagnostics);
    return;
  }
  if (source_.value().empty()) {
    diagnostics.Error(location(), DisplayPath(), "src is missing; write src=\"operator.scxml\"");
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(*location().file).parent_path();
  chart_.Load(system, SimulatorManager::Of(system).charts(), *parent(), folder / source_.value(), location(),
              diagnostics);
}

}  // namespace davit
