#pragma once

#include <string>

#include "statecharts/chart.h"

namespace davit {

/// The chart as a graph in the DOT language. States with states in them are clusters, the regions of a
/// `<parallel>` have dashed borders and are placed in rows of two. In an SVG made from it the elements have
/// ids that do not change with the drawing: `state-ID` a state, `transition-N` the N-th transition of the
/// document (from 1), `initial-ID` a default arrow.
std::string MakeChartDot(const Chart& chart);

}  // namespace davit
