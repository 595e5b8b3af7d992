#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "app/chart_options.h"
#include "app/exit_code.h"
#include "app/load_chart.h"
#include "app/print_diagnostics.h"
#include "app/proof/chart_proof_commands.h"
#include "app/proof/write_files.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "proof/chart_paths.h"
#include "proof/promela.h"

namespace davit {
namespace {

using Json = nlohmann::ordered_json;

struct PathsOptions {
  ChartOptions load;
  std::optional<std::filesystem::path> promela, summary;
  std::uint64_t most = 500'000;
};

Json StepsJson(const std::vector<ChartPath>& paths) {
  Json json = Json::object();
  for (const ChartPath& path : paths) {
    if (path.is_found) json[path.name] = path.steps;
  }
  return json;
}

std::string SummaryJson(const ChartPaths& paths) {
  const Json json{
      {"configurations", paths.configurations},
      {"situations", paths.situations},
      {"complete", paths.is_complete},
      {"states", paths.states.size()},
      {"transitions", paths.transitions.size()},
      {"unreachable", paths.Unreachable()},
      {"dead", paths.Dead()},
      {"open", paths.open},
      {"events", paths.events},
      {"livelocks", paths.livelocks},
      {"paths", {{"states", StepsJson(paths.states)}, {"transitions", StepsJson(paths.transitions)}}}};
  return json.dump(2) + "\n";
}

void PrintPaths(std::string_view title, const std::vector<ChartPath>& paths, std::string_view missing,
                std::ostream& out) {
  out << title << '\n';
  for (const ChartPath& path : paths) {
    out << "  " << path.name;
    if (!path.is_found) {
      out << fmt::format(" (line {}): {}\n", path.line, missing);
      continue;
    }
    out << ':';
    for (const std::string& step : path.steps) out << (&step == &path.steps.front() ? " " : ", ") << step;
    out << (path.steps.empty() ? " at the start\n" : "\n");
  }
}

int RunChartPaths(const PathsOptions& options, CommandContext& context) {
  const LoadedChart lone = LoadChartFor(options.load, context.err);
  if (lone.chart == nullptr) return kWrongInput;
  Diagnostics diagnostics;
  WrittenFiles files(lone.files->files(), diagnostics);
  files.Add("--promela", options.promela);
  files.Add("--summary", options.summary);
  files.Check();
  const PromelaText promela = options.promela ? MakePromela(*lone.chart) : PromelaText{};
  const ChartPaths paths = FindChartPaths(lone.chart, lone.system.get(), options.most);
  for (const std::string& fault : {paths.fault, promela.fault}) {
    if (!fault.empty()) diagnostics.Error(lone.chart->location, {}, fault);
  }
  PrintDiagnostics(diagnostics, context.err);
  if (diagnostics.has_errors()) return kWrongInput;

  PrintPaths("states", paths.states, paths.is_complete ? "unreachable" : "not reached", context.out);
  PrintPaths("transitions", paths.transitions, paths.is_complete ? "dead" : "not taken", context.out);
  if (!paths.open.empty()) {
    context.out
        << "left open: both values were tried; davit bench --coverage shows what the machine reaches\n";
    for (const std::string& condition : paths.open) context.out << "  " << condition << '\n';
  }
  context.out << fmt::format("{}, {}; {} {}, {} {}\n", Counted(paths.configurations, "configuration"),
                             Counted(paths.events.size(), "event"), paths.Unreachable().size(),
                             paths.is_complete ? "unreachable" : "not reached", paths.Dead().size(),
                             paths.is_complete ? "dead" : "not taken");
  int code = kDone;
  if (!paths.is_complete) {
    context.err << fmt::format(
        "{}: error: stopped after {}; what was not found may exist; give --most a larger number, or search "
        "parts of "
        "the chart\n",
        options.load.chart.string(), Counted(paths.situations, "situation"));
    code = kRunFailed;
  }
  try {
    WriteFile(options.promela, [&] { return promela.text; });
    WriteFile(options.summary, [&] { return SummaryJson(paths); });
  } catch (const std::exception& failure) {
    context.err << "error: " << Explain(failure) << '\n';
    code = kRunFailed;
  }
  return code;
}

}  // namespace

void AddChartPathsCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<PathsOptions>();
  AddChartOptions(command, context, options->load);
  command.add_option("--promela", options->promela, "Writes the chart as a model for spin")
      ->type_name("FILE");
  command.add_option("--summary", options->summary, "Writes what was found as JSON")->type_name("FILE");
  command.add_option("--most", options->most, "Situations after which the search stops (default 500000)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}));
  command.callback([&context, options] {
    context.exit_code = context.LoadPlugins() ? RunChartPaths(*options, context) : kWrongInput;
  });
}

}  // namespace davit
