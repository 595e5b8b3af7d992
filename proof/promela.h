#pragma once

#include <string>

#include "statecharts/chart.h"

namespace davit {

/// A chart as a model of spin, or why there is none.
struct PromelaText {
  std::string text = {};
  std::string fault = {};
};

/// Translates a chart to Promela, by the algorithm of SCXML, with the events and open conditions of
/// FindChartPaths. In the list of unreached code of a verification (`spin -a`), `e[N] = 0` is an unreachable
/// state and `f[N] = 0` a dead transition; comments at the top have their names. Data are left out:
/// conditions that read them are open.
PromelaText MakePromela(const Chart& chart);

}  // namespace davit
