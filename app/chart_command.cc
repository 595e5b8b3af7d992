#include "app/chart_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <memory>
#include <ostream>

#include "app/exit_code.h"
#include "app/load_chart.h"
#include "app/print_diagnostics.h"
#include "app/proof/chart_proof_commands.h"
#include "drawing/dot_program.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/tree/component_pool.h"
#include "results/output_file.h"
#include "session/output_paths.h"
#include "simulator/charts/default_chart.h"
#include "statecharts/chart_dot.h"
#include "statecharts/chart_outline.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 6> kDrawings{".svg", ".png", ".pdf", ".dot", ".puml", ".mmd"};

std::string Draw(const Chart& chart, const std::string& extension) {
  if (extension == ".puml") return MakeChartOutline(chart, OutlineLanguage::kPlantUml);
  if (extension == ".mmd") return MakeChartOutline(chart, OutlineLanguage::kMermaid);
  const std::string graph = MakeChartDot(chart);
  return extension == ".dot" ? graph : DrawWithDot(graph, extension.substr(1));
}

/// Without default arrows.
std::size_t CountTransitions(const Chart& chart) {
  std::size_t count = 0;
  for (const State& state : chart.states) count += state.transitions.size();
  return count;
}

void AddChartCheckCommand(CLI::App& chart, CommandContext& context) {
  CLI::App& command = *chart.add_subcommand("check", "Loads a chart and reports its errors");
  const auto options = std::make_shared<ChartOptions>();
  AddChartOptions(command, context, *options);
  command.callback([&context, options] {
    context.exit_code =
        context.LoadPlugins() ? RunChartCheck(*options, context.out, context.err) : kWrongInput;
  });
}

void AddChartDefaultCommand(CLI::App& chart, CommandContext& context) {
  CLI::App& command = *chart.add_subcommand("default", "Prints the default chart of a model");
  const auto model = std::make_shared<std::string>();
  command.add_option("MODEL", *model, "For example hydraulic.Cylinder")->required();
  AddPluginOption(command, context);
  command.callback([&context, model] {
    context.exit_code = context.LoadPlugins()
                            ? RunChartDefault(*model, context.registry, context.out, context.err)
                            : kWrongInput;
  });
}

void AddChartGraphCommand(CLI::App& chart, CommandContext& context) {
  CLI::App& command = *chart.add_subcommand("graph", "Draws a chart");
  const auto options = std::make_shared<ChartGraphOptions>();
  AddChartOptions(command, context, options->load);
  command
      .add_option("-o,--output", options->output,
                  "Picture (.svg, .png, .pdf or .dot) or text for PlantUML (.puml) or Mermaid (.mmd)")
      ->type_name("FILE")
      ->required();
  command.callback([&context, options] {
    context.exit_code =
        context.LoadPlugins() ? RunChartGraph(*options, context.out, context.err) : kWrongInput;
  });
}

void AddChartRunCommand(CLI::App& chart, CommandContext& context) {
  CLI::App& command = *chart.add_subcommand("run", "Runs a chart in virtual time and prints each macrostep");
  const auto options = std::make_shared<ChartRunOptions>();
  AddChartOptions(command, context, options->load);
  command.add_option("EVENTS", options->events, "Events, each '[T:]NAME [KEY=VALUE]...'");
  command.add_option("--events", options->script, "File of events, one per line; - is standard input")
      ->type_name("FILE");
  command.add_option("--max-time", options->max_time, "Virtual time at which the run ends, e.g. 10s")
      ->type_name("T");
  command.add_option("--step", options->step, "TimeStep of charts that read the time (default 10ms)")
      ->type_name("DT");
  command.add_flag("--until-final", options->is_until_final, "Returns 1 if no final state is reached");
  command.add_flag("--quiet", options->is_quiet, "Prints the last configuration only");
  command.callback([&context, options] {
    context.exit_code =
        context.LoadPlugins() ? RunChart(*options, context.in, context.out, context.err) : kWrongInput;
  });
}

}  // namespace

int RunChartCheck(const ChartOptions& options, std::ostream& out, std::ostream& err) {
  const std::shared_ptr<const Chart> chart = LoadChartFor(options, err).chart;
  if (chart == nullptr) return kWrongInput;
  out << fmt::format("{}: no errors; {}, {}, data model {}\n", options.chart.string(),
                     Counted(chart->states.size() - 1, "state"),
                     Counted(CountTransitions(*chart), "transition"), ToText(chart->data_model));
  return kDone;
}

int RunChartDefault(std::string_view model, const Registry& registry, std::ostream& out, std::ostream& err) {
  const ModelEntry* entry = FindModel(model, registry, err);
  if (entry == nullptr) return kWrongInput;
  ComponentPool pool;
  const Component& component = pool.Create(*entry);
  if (!component.has_behaviours()) {
    err << fmt::format(
        "error: {} has no chart: it has a single behaviour (no levels); a chart for a system goes into a "
        "<Statechart> element\n",
        model);
    return kWrongInput;
  }
  out << DefaultChartText(component);
  return kDone;
}

int RunChartGraph(const ChartGraphOptions& options, std::ostream& out, std::ostream& err) {
  std::string extension = options.output.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_known = std::ranges::find(kDrawings, extension) != kDrawings.end();
  if (!is_known) {
    err << options.output.string()
        << ": error: a drawing of a chart ends in .svg, .png, .pdf, .dot, .puml (PlantUML) or .mmd "
           "(Mermaid)\n";
  }
  const LoadedChart lone = LoadChartFor(options.load, err);
  const std::shared_ptr<const Chart>& chart = lone.chart;
  if (chart == nullptr || !is_known) return kWrongInput;
  Diagnostics diagnostics;
  CheckOutputPaths(std::vector<OutputPath>{{"-o " + options.output.string(), options.output}},
                   lone.files->files(), diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  try {
    const std::string picture = Draw(*chart, extension);
    OutputFile file(options.output);
    file.Write(picture);
    file.Close();
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {}\n", options.output.string(), Counted(chart->states.size() - 1, "state"));
  return kDone;
}

void AddChartCommand(CLI::App& command, CommandContext& context) {
  command.require_subcommand(1);
  AddChartCheckCommand(command, context);
  AddChartCoverageCommand(
      *command.add_subcommand("coverage", "Counts what events and benches have exercised of a chart"),
      context);
  AddChartDefaultCommand(command, context);
  AddChartGraphCommand(command, context);
  AddChartPathsCommand(
      *command.add_subcommand("paths", "Finds the shortest ways to all states and transitions"), context);
  AddChartRunCommand(command, context);
}

}  // namespace davit
