#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/chart_events.h"
#include "app/chart_options.h"
#include "app/exit_code.h"
#include "app/load_chart.h"
#include "app/print_diagnostics.h"
#include "app/proof/chart_proof_commands.h"
#include "app/proof/write_files.h"
#include "app/virtual_run.h"
#include "drawing/dot_program.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "proof/coverage_drawing.h"
#include "proof/coverage_file.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

struct CoverageOptions {
  ChartRunOptions run;
  std::vector<fs::path> files;
  std::string name;  ///< of the chart in these
  std::optional<fs::path> output, json;
  std::vector<std::string> demands;
};

constexpr double kStep = 0.01;  // [s] of charts that read the time

/// Runs the chart alone, as davit chart run.
ChartCounts RunEvents(const LoadedChart& lone, const std::vector<ScriptedEvent>& events) {
  ChartCoverage coverage(*lone.chart);
  SessionTable table(lone.chart, lone.system.get(), nullptr);
  table.set_watch(&coverage);
  if (!events.empty()) {
    constexpr double kAfterEvents = 60;  // [s]
    VirtualRun run(table, kStep);
    run.Start();
    for (const ScriptedEvent& event : events) {
      run.AdvanceTo(event.time);
      run.Send(event);
    }
    run.AdvanceTo(events.back().time + kAfterEvents);
  }
  return coverage.Counts();
}

/// Events that no transition names.
void CheckEvents(const Chart& chart, const std::vector<ScriptedEvent>& events, Diagnostics& diagnostics) {
  const std::vector<std::string> known(chart.descriptor_texts.begin(), chart.descriptor_texts.end());
  for (const ScriptedEvent& event : events) {
    const bool is_taken = std::ranges::any_of(known, [&](const std::string& descriptor) {
      return descriptor.empty() || event.name == descriptor || event.name.starts_with(descriptor + '.');
    });
    if (!is_taken)
      diagnostics.Error({std::make_shared<const std::string>(event.name), 0}, {},
                        Fault{"the chart takes no event " + Quoted(event.name),
                              SuggestName("it takes", event.name, known)});
  }
}

/// The counts of this chart in a file; of the only chart there if none has its file.
const ChartCounts* FindChart(const CoverageMap& coverage, const CoverageOptions& options,
                             const ChartCounts& own) {
  for (const auto& [path, counts] : coverage) {
    if (options.name.empty() ? fs::path(counts.file).filename() == fs::path(own.file).filename()
                             : path == options.name)
      return &counts;
  }
  return nullptr;
}

int RunChartCoverage(const CoverageOptions& options, CommandContext& context) {
  const LoadedChart lone = LoadChartFor(options.run.load, context.err);
  Diagnostics diagnostics;
  const std::vector<ScriptedEvent> events = ReadChartEvents(options.run, context.in, diagnostics);
  const std::vector<CoverageDemand> demands = ReadCoverageDemands(options.demands, "--require", diagnostics);
  if (lone.chart != nullptr) CheckEvents(*lone.chart, events, diagnostics);
  std::vector<CoverageMap> others;
  others.reserve(options.files.size());
  for (const fs::path& file : options.files) others.push_back(LoadCoverage(file, diagnostics));
  std::vector<fs::path> inputs = options.files;
  if (lone.chart != nullptr) {
    for (const fs::path& file : lone.files->files()) inputs.push_back(file);
  }
  WrittenFiles files(inputs, diagnostics);
  files.Add("-o", options.output);
  files.Add("--coverage", options.json);
  files.Check();
  if (lone.chart == nullptr || diagnostics.has_errors()) {
    PrintDiagnostics(diagnostics, context.err);
    return kWrongInput;
  }
  ChartCounts counts = RunEvents(lone, events);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const SourceLocation place{std::make_shared<const std::string>(options.files[i].string()), 0};
    const ChartCounts* const other = FindChart(others[i], options, counts);
    std::vector<std::string> known;
    for (const auto& [path, one] : others[i]) known.push_back(path);
    if (other == nullptr) {
      diagnostics.Error(place, {},
                        Fault{"it has no chart " + Quoted(options.name.empty() ? counts.file : options.name),
                              SuggestName("name one with --chart; it has", options.name, known)});
    } else if (const std::string odd = counts.Add(*other); !odd.empty()) {
      diagnostics.Error(place, {},
                        Fault{"this is the coverage of another chart: only one of them has " + Quoted(odd),
                              "run the bench again"});
    }
  }
  PrintDiagnostics(diagnostics, context.err);
  if (diagnostics.has_errors()) return kWrongInput;
  const CoverageMap coverage{
      {options.name.empty() ? fs::path(counts.file).stem().string() : options.name, counts}};
  context.out << CoverageTable(coverage);
  for (const CoverageKind& kind : kCoverageKinds) {
    if (kind.name == "pairs") continue;
    for (const std::string& missed : MissedElements(coverage, kind))
      context.out << "missed " << kind.name << ": " << missed.substr(missed.find(' ') + 1) << '\n';
  }
  return ReportCoverage(
      UnmetDemands(coverage, demands),
      [&] {
        WriteFile(options.json, [&] { return CoverageJson(coverage); });
        WriteFile(options.output, [&] { return DrawWithDot(MakeCoverageDot(*lone.chart, counts), "svg"); });
      },
      kDone, context.err);
}

}  // namespace

void AddChartCoverageCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<CoverageOptions>();
  AddChartOptions(command, context, options->run.load);
  command.add_option("EVENTS", options->run.events,
                     "Events of a run of the chart alone, each '[T:]NAME [KEY=VALUE]...'");
  command.add_option("--events", options->run.script, "File of events, one per line; - is standard input")
      ->type_name("FILE");
  command
      .add_option("--add", options->files,
                  "Adds coverage that davit bench --coverage has written; may be given several times")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command
      .add_option("--chart", options->name,
                  "Path of the chart in these files; default: the one with the same file name")
      ->type_name("PATH");
  command
      .add_option("-o,--output", options->output,
                  "Drawing (.svg): green what was exercised, orange guards that were only true or only "
                  "false, red what was missed")
      ->type_name("FILE");
  command.add_option("--coverage", options->json, "Writes the coverage as JSON")->type_name("FILE");
  command
      .add_option(
          "--require", options->demands,
          "Fails below this coverage: states, transitions, guards or pairs, such as transitions=100%; may "
          "be given several times")
      ->type_name("KIND=PERCENT")
      ->expected(1)
      ->take_all();
  command.callback([&context, options] {
    context.exit_code = context.LoadPlugins() ? RunChartCoverage(*options, context) : kWrongInput;
  });
}

}  // namespace davit
