#pragma once

#include "framework/component.h"
#include "framework/property.h"
#include "simulator/charts/chart_binding.h"

namespace davit {

/// A chart for the system, or the sub-system, that contains it: the element `<Statechart name= src=>`. It
/// plays the operator, or any logic that belongs to no single component.
class Statechart final : public Component {
 public:
  using StandsInSystems = void;
  static constexpr ModelInfo kInfo{
      .name = "Statechart",
      .text = "Runs a chart, which reads signals, sets values and sends events",
      .equations = R"(
outputs of the chart, to record and to route:
  state.ID    1 while the state is active, else 0
  region      position of the active state among those directly in the chart, from 0
  region.ID   the same of the states in the state ID; -1 while that is not active
  time.ID     seconds since the state was entered
  NAME        the <data> of that name
Example: src="operator.scxml"
)",
  };

  Statechart() : chart_(*this) {}

  bool AcceptsChild(std::string_view /*model*/) const override { return false; }
  void Link(System& system, Diagnostics& diagnostics) override;

  ChartBinding& chart() { return chart_; }
  const ChartBinding& chart() const { return chart_; }

 private:
  Property<std::string> source_{this, "src", "File of the chart, relative to the file of the system"};
  Property<bool> chooses_levels_{this, "chooses_levels",
                                 "Whether the chart sets levels although levels=\"scheduled\" drops what "
                                 "charts ask for",
                                 Choice{.value = false, .tunability = Tunability::kStructural}};
  ChartBinding chart_;
};

}  // namespace davit
