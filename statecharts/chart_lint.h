#pragma once

#include "framework/diagnostics.h"
#include "statecharts/chart.h"

namespace davit {

/// Warns of what is legal but hardly meant: states that nothing reaches, transitions that another one always
/// precedes, and loops of eventless transitions without a condition.
void CheckChart(const Chart& chart, Diagnostics& diagnostics);

}  // namespace davit
