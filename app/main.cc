#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "app/chart_command.h"
#include "app/check_command.h"
#include "app/compare_command.h"
#include "app/describe_command.h"
#include "app/exit_code.h"
#include "app/graph_command.h"
#include "app/list_command.h"
#include "app/load_plugins.h"
#include "app/new_model_command.h"
#include "app/plot_command.h"
#include "app/run_command.h"
#include "app/schema_command.h"
#include "components/register.h"
#include "framework/quantity.h"
#include "framework/version.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

/// The option --plugin of commands that know models.
class PluginOption {
 public:
  explicit PluginOption(Registry& registry) : registry_(registry) {}
  void Add(CLI::App& command) {
    command
        .add_option("--plugin", files_,
                    "Shared library with further models; may be given several times. It runs with the "
                    "rights of this program")
        ->type_name("FILE.so")
        ->expected(1)
        ->take_all();
  }
  /// Adds the models of all plug-ins that were named, also in a system file. False after printing faults.
  bool Load(const std::filesystem::path& system = {}) const {
    return LoadPlugins(files_, system, registry_, std::cerr);
  }

 private:
  Registry& registry_;
  std::vector<std::filesystem::path> files_;
};

void AddLoadOptions(CLI::App& command, LoadOptions& options) {
  command.add_option("--set", options.set, "PATH=VALUE: sets a parameter, input, property or start value")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  command.add_option("--level", options.level, "GLOB=LEVEL: level of all matching components")
      ->type_name("GLOB=LEVEL")
      ->expected(1)
      ->take_all();
  command.add_option("--at", options.at, "T:PATH=VALUE: sets a value at time T")
      ->type_name("T:PATH=VALUE")
      ->expected(1)
      ->take_all();
}

/// The factor of --realtime: 1 without a number. Returns false after an error.
bool ReadFactor(const std::vector<std::string>& texts, std::optional<double>& factor) {
  factor = 1;
  if (texts.empty() || texts.back().empty()) return true;
  const QuantityResult result = ParseQuantity(texts.back(), "", UnitSystem());
  if (result.value && result.value->si > 0) {
    factor = result.value->si;
    return true;
  }
  std::cerr << "--realtime " << texts.back()
            << ": error: " << (result.value ? "the factor must be > 0" : result.error)
            << "; write for example --realtime 2\n";
  return false;
}

int Main(int argc, char** argv) {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);

  CLI::App app("davit: simulates machines described in XML", "davit");
  app.set_version_flag("--version", std::string("davit ") + kVersion);
  app.require_subcommand(1);
  app.footer("Help for one command: davit COMMAND --help. Exit codes: 0 done, 1 run failed, 2 wrong input.");
  PluginOption plugins(registry);
  int code = kDone;

  RunOptions run;
  std::vector<std::string> factor;
  CLI::App* run_command = app.add_subcommand("run", "Runs a system");
  run_command->add_option("SYSTEM", run.system, "System file (XML)")->required();
  run_command->add_option("--stop", run.stop, "Time at which the run ends, e.g. '50 s'")->type_name("T");
  AddLoadOptions(*run_command, run.load);
  run_command
      ->add_option("-o,--output", run.outputs, "Result file (.csv, .mat or .h5); may be given several times")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  run_command->add_option("--signals", run.load.signals, "What to record (globs), instead of <Record>")
      ->type_name("GLOBS")
      ->expected(1)
      ->take_all();
  run_command->add_option("--interval", run.load.interval, "Time between recorded rows")->type_name("DT");
  run_command->add_option("--threads", run.threads, "Most threads to use; results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
  run_command->add_flag("--steady", run.is_steady, "Starts at rest: searches the equilibrium at StartTime");
  run_command->add_flag_callback(
      "--always-threads", [&run] { run.thread_use = ThreadUse::kAlways; },
      "Uses all threads even where fewer are faster");
  CLI::Option* real_time =
      run_command->add_option("--realtime", factor, "Paces the run with the clock, FACTOR times as fast")
          ->type_name("FACTOR")
          ->expected(0, 1);
  run_command->add_option("--plot", run.plot, "Draws the recorded signals (.svg or .png)")->type_name("FILE");
  run_command->add_option("--summary", run.summary, "Writes the summary as JSON")->type_name("FILE");
  run_command->add_flag("--quiet", run.is_quiet, "Prints errors only");
  run_command->add_flag("--check-allocations", run.checks_allocations,
                        "Warns of components whose evaluations, hooks or guards take memory from the heap "
                        "during the steps; the run is slower, its results are the same");
  run_command
      ->add_option("--save-state", run.save_states,
                   "Writes a snapshot at the end, or at time T; may be given several times")
      ->type_name("FILE[@T]")
      ->expected(1)
      ->take_all();
  run_command->add_option("--load-state", run.load_state, "Goes on from a snapshot")->type_name("FILE");
  run_command
      ->add_option("--commands", run.commands,
                   "Obeys lines that come while the run goes on, from a file, a pipe, or - for stdin:\n"
                   "[T] set PATH VALUE | level PATH LEVEL | message PATH NAME | event NAME | pause | "
                   "continue | stop")
      ->type_name("FILE");
  plugins.Add(*run_command);
  run_command->callback([&] {
    const bool is_wrong =
        (real_time->count() > 0 && !ReadFactor(factor, run.real_time_factor)) || !plugins.Load(run.system);
    code = is_wrong ? kWrongInput : Run(run, registry, std::cout, std::cerr);
  });

  std::filesystem::path check_system;
  LoadOptions check_options;
  CLI::App* check_command = app.add_subcommand("check", "Checks a system as run does before the first step");
  check_command->add_option("SYSTEM", check_system, "System file (XML)")->required();
  AddLoadOptions(*check_command, check_options);
  plugins.Add(*check_command);
  check_command->callback([&] {
    code = plugins.Load(check_system) ? RunCheck(check_system, registry, check_options, std::cout, std::cerr)
                                      : kWrongInput;
  });

  std::string glob = "*";
  CLI::App* list_command = app.add_subcommand("list", "Lists the models");
  list_command->add_option("GLOB", glob, "Only models whose name matches, e.g. 'hydraulic.*'");
  plugins.Add(*list_command);
  list_command->callback(
      [&] { code = plugins.Load() ? RunList(glob, registry, std::cout, std::cerr) : kWrongInput; });

  std::string model;
  bool is_markdown = false;
  bool is_for_all = false;
  CLI::App* describe_command =
      app.add_subcommand("describe", "Describes a model: ports, parameters, equations");
  CLI::Option* model_option = describe_command->add_option("MODEL", model, "For example hydraulic.Cylinder");
  describe_command->add_flag("--markdown", is_markdown, "As markdown");
  describe_command->add_flag("--all", is_for_all, "All models as one markdown document")
      ->excludes(model_option);
  plugins.Add(*describe_command);
  describe_command->callback([&] {
    if (!plugins.Load()) {
      code = kWrongInput;
      return;
    }
    if (is_for_all) {
      WriteModelReference(registry, std::cout);
      return;
    }
    if (model_option->count() == 0) throw CLI::RequiredError("MODEL or --all");
    code = RunDescribe(model, is_markdown ? DescribeFormat::kMarkdown : DescribeFormat::kText, registry,
                       std::cout, std::cerr);
  });

  PlotOptions plot;
  CLI::App* plot_command = app.add_subcommand("plot", "Draws signals of one or more results");
  plot_command->add_option("RESULT", plot.result, "Result file (.csv, .mat or .h5)")->required();
  plot_command->add_option("MORE", plot.more,
                           "Further result files, drawn into the same picture, and signals to draw: paths "
                           "or globs; all if none is given");
  plot_command->add_option("--x", plot.x, "Signal to draw the others over; the time if none is given")
      ->type_name("PATH");
  plot_command->add_option("-o,--output", plot.output, "Picture (.svg or .png)")
      ->type_name("FILE")
      ->required();
  plot_command->callback([&] { code = RunPlot(plot, std::cout, std::cerr); });

  GraphOptions graph;
  CLI::App* graph_command = app.add_subcommand("graph", "Draws a system: components, ports, islands");
  graph_command->add_option("SYSTEM", graph.system, "System file (XML)")->required();
  graph_command->add_option("-o,--output", graph.output, "Picture (.svg, .png, .pdf or .dot)")
      ->type_name("FILE")
      ->required();
  plugins.Add(*graph_command);
  graph_command->callback([&] {
    code = plugins.Load(graph.system) ? RunGraph(graph, registry, std::cout, std::cerr) : kWrongInput;
  });

  CompareOptions compare;
  CLI::App* compare_command = app.add_subcommand("compare", "Compares two results: 0 same, 1 different");
  compare_command->add_option("A", compare.a, "Result file")->required();
  compare_command->add_option("B", compare.b, "Result file")->required();
  compare_command->add_option("--rtol", compare.rtol, "Relative tolerance")->capture_default_str();
  compare_command->add_option("--atol", compare.atol, "Absolute tolerance in SI")->capture_default_str();
  compare_command->add_option("--time-tol", compare.time_tol, "Shift in time allowed at jumps [s]")
      ->capture_default_str();
  compare_command->callback([&] { code = RunCompare(compare, std::cout, std::cerr); });

  CLI::App* chart_command = app.add_subcommand("chart", "Checks, draws or runs a statechart (SCXML) alone");
  chart_command->require_subcommand(1);
  const auto add_chart = [&registry, &plugins](CLI::App& command, ChartOptions& options) {
    options.registry = &registry;
    plugins.Add(command);
    command.add_option("FILE", options.chart, "Statechart (SCXML)")->required();
    command
        .add_option("--datamodel", options.data_model, "Of charts that name none: davit, null or ecmascript")
        ->type_name("NAME")
        ->check(CLI::IsMember({"davit", "null", "ecmascript"}));
  };
  ChartOptions chart_check;
  CLI::App* chart_check_command =
      chart_command->add_subcommand("check", "Loads a chart and says what is wrong");
  add_chart(*chart_check_command, chart_check);
  chart_check_command->callback(
      [&] { code = plugins.Load() ? RunChartCheck(chart_check, std::cout, std::cerr) : kWrongInput; });

  std::string default_chart;
  CLI::App* chart_default_command =
      chart_command->add_subcommand("default", "Prints the chart that components of a model have");
  chart_default_command->add_option("MODEL", default_chart, "For example hydraulic.Cylinder")->required();
  plugins.Add(*chart_default_command);
  chart_default_command->callback([&] {
    code = plugins.Load() ? RunChartDefault(default_chart, registry, std::cout, std::cerr) : kWrongInput;
  });

  ChartGraphOptions chart_graph;
  CLI::App* chart_graph_command = chart_command->add_subcommand("graph", "Draws a chart");
  add_chart(*chart_graph_command, chart_graph.load);
  chart_graph_command
      ->add_option("-o,--output", chart_graph.output,
                   "Picture (.svg, .png, .pdf or .dot) or text for PlantUML (.puml) or Mermaid (.mmd)")
      ->type_name("FILE")
      ->required();
  chart_graph_command->callback(
      [&] { code = plugins.Load() ? RunChartGraph(chart_graph, std::cout, std::cerr) : kWrongInput; });

  ChartRunOptions chart_run;
  CLI::App* chart_run_command =
      chart_command->add_subcommand("run", "Runs a chart in virtual time and prints each macrostep");
  add_chart(*chart_run_command, chart_run.load);
  chart_run_command->add_option("EVENTS", chart_run.events, "Events, each '[T:]NAME [KEY=VALUE]...'");
  chart_run_command
      ->add_option("--events", chart_run.script, "File of events, one a line; - is standard input")
      ->type_name("FILE");
  chart_run_command
      ->add_option("--max-time", chart_run.max_time, "Virtual time at which the run ends, e.g. 10s")
      ->type_name("T");
  chart_run_command
      ->add_option("--step", chart_run.step, "TimeStep of charts that read the time (default 10ms)")
      ->type_name("DT");
  chart_run_command->add_flag("--until-final", chart_run.is_until_final,
                              "Returns 1 where no final state is reached");
  chart_run_command->add_flag("--quiet", chart_run.is_quiet, "Prints the last configuration only");
  chart_run_command->callback(
      [&] { code = plugins.Load() ? RunChart(chart_run, std::cin, std::cout, std::cerr) : kWrongInput; });

  NewModelOptions new_model;
  CLI::App* new_model_command =
      app.add_subcommand("new-model", "Writes the project of a plug-in with a model, a test and an example");
  new_model_command->add_option("MODEL", new_model.model, "domain.Type, for example hydraulic.ShuttleValve")
      ->required();
  new_model_command
      ->add_option("--kind", new_model.kind,
                   "ode: differential equations, with two levels and a chart, dae: algebraic ones, tlm: "
                   "whole steps between delays, signal: no states")
      ->type_name("KIND")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(kModelKinds.begin(), kModelKinds.end())));
  new_model_command->add_option("-o,--output", new_model.folder, "Folder of the project, new or empty")
      ->type_name("DIR")
      ->required();
  new_model_command->callback([&] { code = RunNewModel(new_model, registry, std::cout, std::cerr); });

  std::filesystem::path schema_file;
  CLI::App* schema_command =
      app.add_subcommand("schema", "Writes the XML schema (XSD) of system files, with all models");
  schema_command->add_option("-o,--output", schema_file, "File to write; standard output if none is given")
      ->type_name("FILE");
  plugins.Add(*schema_command);
  schema_command->callback(
      [&] { code = plugins.Load() ? RunSchema(schema_file, registry, std::cout, std::cerr) : kWrongInput; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongInput;
  }
  return code;
}

}  // namespace
}  // namespace davit

int main(int argc, char** argv) {
  try {
    return davit::Main(argc, argv);
  } catch (const std::exception& fault) {
    std::cerr << "error: " << fault.what() << '\n';
    return davit::kRunFailed;
  }
}
