#pragma once

#include <string>

#include "proof/chart_coverage.h"

namespace davit {

/// The chart as a graph in the DOT language (MakeChartDot), coloured by what was exercised: green states that
/// were entered and transitions that were taken, orange transitions whose guard was only true, red the rest.
std::string MakeCoverageDot(const Chart& chart, const ChartCounts& counts);

}  // namespace davit
