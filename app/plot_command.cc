#include "app/plot_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/counted.h"
#include "framework/diagnostics.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "results/curve.h"
#include "results/gnuplot_process.h"
#include "results/gnuplot_script.h"
#include "results/load_result.h"
#include "results/output_file.h"
#include "results/panel.h"
#include "session/output_paths.h"

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
                    extension.empty() ? "a picture needs a name that ends in .svg or .png"
                                      : fmt::format("{} is not a format of pictures; name it .svg or .png",
                                                    Quoted(extension)));
  return std::nullopt;
}

/// The curves that `signals` name, each once, in the order they are asked for; all if nothing is asked for.
std::vector<std::size_t> SelectCurves(std::span<const Curve> curves, const std::vector<std::string>& signals,
                                      Diagnostics& diagnostics) {
  std::vector<std::size_t> chosen;
  if (signals.empty()) {
    chosen.resize(curves.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  }
  for (const std::string& signal : signals) {
    bool is_found = false;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      if (known.empty() || known.back() != curves[i].path) known.emplace_back(curves[i].path);
      if (!MatchesGlob(curves[i].path, signal)) continue;
      is_found = true;
      if (std::ranges::find(chosen, i) == chosen.end()) chosen.push_back(i);
    }
    if (!is_found) {
      diagnostics.Error({}, "",
                        fmt::format("no signal {} {}; {}", IsGlob(signal) ? "matches" : "is named",
                                    Quoted(signal), SuggestName("the result has", signal, known)));
    }
  }
  return chosen;
}

/// Cuts what would make the figure unreadable, and says so.
void LimitPanels(std::span<const Curve> curves, std::size_t most_curves, std::vector<Panel>& panels,
                 std::ostream& err) {
  std::vector<std::size_t> left_out;
  for (Panel& panel : panels) {
    const std::size_t kept =
        &panel - panels.data() < static_cast<std::ptrdiff_t>(kMostPanels) ? most_curves : 0;
    if (panel.curves.size() <= kept) continue;
    const auto first = panel.curves.begin() + static_cast<std::ptrdiff_t>(kept);
    left_out.insert(left_out.end(), first, panel.curves.end());
    panel.curves.erase(first, panel.curves.end());
  }
  panels.resize(std::min(panels.size(), kMostPanels));
  if (left_out.empty()) return;
  constexpr std::size_t kMostNamed = 6;
  std::string names;
  for (std::size_t i = 0; i < std::min(left_out.size(), kMostNamed); ++i) {
    names += (i == 0 ? "" : ", ") + curves[left_out[i]].label;
  }
  if (left_out.size() > kMostNamed) names += ", ...";
  err << fmt::format(
      "warning: {} not drawn, a panel shows at most {} curves and a figure {} panels: {}; name the "
      "signals to plot\n",
      Counted(left_out.size(), "signal"), most_curves, kMostPanels, names);
}

void SavePicture(const std::filesystem::path& path, std::string_view picture) {
  OutputFile file(path);
  file.Write(picture);
  file.Close();
}

/// What the results are called: the names of the files, with their folders where two have the same.
std::vector<std::string> NamesOf(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names;
  for (const std::filesystem::path& file : files) {
    const auto is_same = [&](const std::filesystem::path& other) { return other.stem() == file.stem(); };
    const bool is_alone = std::ranges::count_if(files, is_same) == 1;
    names.push_back(is_alone ? file.stem().string() : file.string());
  }
  return names;
}

/// Whether all results have the signal `path` to draw over; says which has not.
bool HasEach(std::span<const NamedResult> results, const std::string& path, Diagnostics& diagnostics) {
  bool has_each = true;
  for (const NamedResult& result : results) {
    if (std::ranges::find(result.table->names, path) != result.table->names.end()) continue;
    has_each = false;
    diagnostics.Error({}, "",
                      fmt::format("--x: no signal is named {}; {}", Quoted(path),
                                  SuggestName(result.name + " has", path, result.table->names)));
  }
  return has_each;
}

int PlotResults(std::span<const NamedResult> results, const std::vector<std::string>& signals,
                const std::string& x, LogAxes log, std::string_view title,
                const std::filesystem::path& output, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  const std::optional<PictureFormat> format = FindFormat(output, diagnostics);
  std::vector<Curve> curves = MakeCurves(results);
  XAxis x_axis;
  if (!x.empty() && HasEach(results, x, diagnostics)) x_axis = DrawOver(x, curves);
  const std::vector<std::size_t> chosen = SelectCurves(curves, signals, diagnostics);
  for (const NamedResult& result : results) {
    if (!result.table->time.empty() && !result.table->names.empty()) continue;
    const std::string name = results.size() > 1 ? "the result " + Quoted(result.name) : "the result";
    diagnostics.Error({}, "",
                      "there is nothing to plot: " + name + " has no values; record signals and run again");
  }
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;

  std::vector<Panel> panels = MakePanels(curves, chosen);
  LimitPanels(curves, signals.empty() ? kMostCurvesUnasked : kMostCurves, panels, err);
  try {
    SavePicture(output, RunGnuplot(MakeGnuplotScript(curves, panels, x_axis, title, *format, log)));
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  const auto count =
      std::accumulate(panels.begin(), panels.end(), std::size_t{0},
                      [](std::size_t sum, const Panel& panel) { return sum + panel.curves.size(); });
  const std::string_view drawn = results.size() > 1 ? "curve" : "signal";
  out << fmt::format("{}: {} in {}\n", output.string(), Counted(count, drawn),
                     Counted(panels.size(), "panel"));
  return kDone;
}

}  // namespace

int RunPlot(const PlotOptions& options, std::ostream& out, std::ostream& err) {
  std::vector<std::filesystem::path> files{options.result};
  std::vector<std::string> signals;
  for (const std::string& argument : options.more) {
    if (IsResultFile(argument)) {
      files.emplace_back(argument);
    } else {
      signals.push_back(argument);
    }
  }
  Diagnostics diagnostics;
  std::vector<ResultTable> tables;
  for (const std::filesystem::path& file : files) {
    if (std::optional<ResultTable> table = LoadResult(file, diagnostics)) tables.push_back(std::move(*table));
  }
  if (tables.size() < files.size()) FindFormat(options.output, diagnostics);
  CheckOutputPaths(std::vector<OutputPath>{{"-o " + options.output.string(), options.output}}, files,
                   diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  const std::vector<std::string> names = NamesOf(files);
  std::vector<NamedResult> results;
  std::string title;
  for (std::size_t i = 0; i < files.size(); ++i) {
    results.push_back({&tables[i], names[i]});
    title += (i == 0 ? "" : ", ") + names[i];
  }
  return PlotResults(results, signals, options.x, options.log, title, options.output, out, err);
}

int PlotTable(const ResultTable& table, const std::vector<std::string>& signals, std::string_view title,
              const std::filesystem::path& output, std::ostream& out, std::ostream& err) {
  const NamedResult result{&table, std::string(title)};
  return PlotResults({&result, 1}, signals, {}, {}, title, output, out, err);
}

void AddPlotCommand(CLI::App& command, CommandContext& context) {
  const auto plot = std::make_shared<PlotOptions>();
  command.add_option("RESULT", plot->result, "Result file (.csv, .mat or .h5)")->required();
  command.add_option("MORE", plot->more,
                     "Further result files, drawn into the same picture, and signals to draw: paths "
                     "or globs; all if none is given");
  command.add_option("--x", plot->x, "Signal for the horizontal axis; the time if none is given")
      ->type_name("PATH");
  command
      .add_option_function<std::vector<std::string>>(
          "--log",
          [plot](const std::vector<std::string>& axes) {
            for (const std::string& axis : axes) (axis == "x" ? plot->log.x : plot->log.y) = true;
          },
          "A logarithmic axis, x or y; may be given for both. Values that are not positive are omitted")
      ->type_name("x|y")
      ->expected(1)
      ->take_all()
      ->check(CLI::IsMember({"x", "y"}));
  command.add_option("-o,--output", plot->output, "Picture (.svg or .png)")->type_name("FILE")->required();
  command.callback([&context, plot] { context.exit_code = RunPlot(*plot, context.out, context.err); });
}

}  // namespace davit
