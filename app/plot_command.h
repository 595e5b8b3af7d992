#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_context.h"
#include "results/gnuplot_script.h"
#include "results/result_table.h"

namespace davit {

struct PlotOptions {
  std::filesystem::path result;
  std::vector<std::string> more;  ///< further result files, and paths or globs of signals; none is all
  std::filesystem::path output;   ///< *.svg or *.png
  std::string x = {};             ///< path of the signal to draw over; empty: the time
  LogAxes log = {};
};

/// `davit plot`: draws signals of one or several results with gnuplot, one panel for each unit. Says on `out`
/// what was drawn, and on `err` what is wrong or left out. Returns 0 when drawn, 1 if gnuplot fails or the
/// picture cannot be written, and 2 for wrong input.
int RunPlot(const PlotOptions& options, std::ostream& out, std::ostream& err);

/// The same for a result in memory.
int PlotTable(const ResultTable& table, const std::vector<std::string>& signals, std::string_view title,
              const std::filesystem::path& output, std::ostream& out, std::ostream& err);

/// Defines `davit plot`.
void AddPlotCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
