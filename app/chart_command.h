#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/chart_options.h"
#include "app/command_context.h"
#include "framework/registry.h"

namespace davit {

/// `davit chart check`: loads a chart and says what is wrong with it. Returns 0 or 2.
int RunChartCheck(const ChartOptions& options, std::ostream& out, std::ostream& err);

struct ChartGraphOptions {
  ChartOptions load;
  std::filesystem::path output;  ///< *.svg, *.png, *.pdf (made by Graphviz), *.dot, *.puml or *.mmd
};

/// `davit chart graph`: draws a chart. Returns 0; 1 if Graphviz is missing or the file cannot be written; 2
/// for wrong input.
int RunChartGraph(const ChartGraphOptions& options, std::ostream& out, std::ostream& err);

/// `davit chart default`: prints the chart that components of a model have if a system names none. Returns 0;
/// 2 for a model that is unknown or has no chart.
int RunChartDefault(std::string_view model, const Registry& registry, std::ostream& out, std::ostream& err);

/// `davit chart run`: runs a chart in virtual time and prints each macrostep. Returns 0; 1 where the chart
/// goes round in a loop, or with `is_until_final` reaches no final state; 2 for wrong input.
int RunChart(const ChartRunOptions& options, std::istream& in, std::ostream& out, std::ostream& err);

/// Defines `davit chart`.
void AddChartCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
