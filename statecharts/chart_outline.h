#pragma once

#include <cstdint>
#include <string>

#include "statecharts/chart.h"

namespace davit {

enum class OutlineLanguage : std::uint8_t { kPlantUml, kMermaid };

/// The chart as text that PlantUML or Mermaid draws. Mermaid has no histories: they are shown as states
/// named H.
std::string MakeChartOutline(const Chart& chart, OutlineLanguage language);

}  // namespace davit
