#include "app/plot_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>

#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/diagnostics.h"
#include "framework/glob.h"
#include "framework/nearest_name.h"
#include "results/gnuplot_process.h"
#include "results/gnuplot_script.h"
#include "results/output_file.h"
#include "results/panel.h"

namespace davit {
namespace {

constexpr std::size_t kMostCurvesUnasked = 12;  // in a panel
constexpr std::size_t kMostCurves = 28;         // that differ by colour and dashes
constexpr std::size_t kMostPanels = 16;

std::optional<PictureFormat> FindFormat(const std::filesystem::path& output, Diagnostics& diagnostics) {
  std::string extension = output.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".svg") return PictureFormat::kSvg;
  if (extension == ".png") return PictureFormat::kPng;
  diagnostics.Error({std::make_shared<const std::string>(output.string())}, "",
                    extension.empty()
                        ? "a picture needs a name that ends in .svg or .png"
                        : fmt::format("no picture is made as {}; name it .svg or .png", Quoted(extension)));
  return std::nullopt;
}

/// The columns that `signals` name, each once, in the order they are asked for; all if nothing is asked for.
std::vector<std::size_t> SelectColumns(const ResultTable& table, const std::vector<std::string>& signals,
                                       Diagnostics& diagnostics) {
  std::vector<std::size_t> columns;
  if (signals.empty()) {
    columns.resize(table.names.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
  }
  for (const std::string& signal : signals) {
    bool is_found = false;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      if (!MatchesGlob(table.names[i], signal)) continue;
      is_found = true;
      if (std::ranges::find(columns, i) == columns.end()) columns.push_back(i);
    }
    if (!is_found) {
      diagnostics.Error({}, "",
                        fmt::format("no signal {} {}; {}", IsGlob(signal) ? "matches" : "is named",
                                    Quoted(signal), SuggestName("the result has", signal, table.names)));
    }
  }
  return columns;
}

/// Cuts what would make the figure unreadable, and says so.
void LimitPanels(const ResultTable& table, std::size_t most_curves, std::vector<Panel>& panels,
                 std::ostream& err) {
  std::vector<std::size_t> left_out;
  for (Panel& panel : panels) {
    const std::size_t kept =
        &panel - panels.data() < static_cast<std::ptrdiff_t>(kMostPanels) ? most_curves : 0;
    if (panel.columns.size() <= kept) continue;
    const auto first = panel.columns.begin() + static_cast<std::ptrdiff_t>(kept);
    left_out.insert(left_out.end(), first, panel.columns.end());
    panel.columns.erase(first, panel.columns.end());
  }
  panels.resize(std::min(panels.size(), kMostPanels));
  if (left_out.empty()) return;
  constexpr std::size_t kMostNamed = 6;
  std::string names;
  for (std::size_t i = 0; i < std::min(left_out.size(), kMostNamed); ++i) {
    names += (i == 0 ? "" : ", ") + table.names[left_out[i]];
  }
  if (left_out.size() > kMostNamed) names += ", ...";
  err << fmt::format(
      "warning: {} {} left out, a panel shows at most {} curves and a figure {} panels: {}; name the "
      "signals to plot\n",
      left_out.size(), left_out.size() == 1 ? "signal is" : "signals are", most_curves, kMostPanels, names);
}

void SavePicture(const std::filesystem::path& path, std::string_view picture) {
  OutputFile file(path);
  file.Write(picture);
  file.Close();
}

}  // namespace

int RunPlot(const PlotOptions& options, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  const std::optional<ResultTable> table = LoadCsv(options.result, diagnostics);
  if (!table) FindFormat(options.output, diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  return PlotTable(*table, options.signals, options.result.stem().string(), options.output, out, err);
}

int PlotTable(const ResultTable& table, const std::vector<std::string>& signals, std::string_view title,
              const std::filesystem::path& output, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  const std::optional<PictureFormat> format = FindFormat(output, diagnostics);
  const std::vector<std::size_t> columns = SelectColumns(table, signals, diagnostics);
  if (table.time.empty() || table.names.empty()) {
    diagnostics.Error({}, "",
                      "there is nothing to plot: the result has no values; record signals and run again");
  }
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;

  std::vector<Panel> panels = MakePanels(table, columns);
  LimitPanels(table, signals.empty() ? kMostCurvesUnasked : kMostCurves, panels, err);
  try {
    SavePicture(output, RunGnuplot(MakeGnuplotScript(table, panels, title, *format)));
  } catch (const std::exception& failure) {
    err << "error: " << failure.what() << '\n';
    return kRunFailed;
  }
  const auto count =
      std::accumulate(panels.begin(), panels.end(), std::size_t{0},
                      [](std::size_t sum, const Panel& panel) { return sum + panel.columns.size(); });
  out << fmt::format("{}: {} {} in {} {}\n", output.string(), count, count == 1 ? "signal" : "signals",
                     panels.size(), panels.size() == 1 ? "panel" : "panels");
  return kDone;
}

}  // namespace davit
