#include "app/proof/bench_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/print_diagnostics.h"
#include "app/progress_bar.h"
#include "app/proof/write_files.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "proof/bench_report.h"
#include "proof/bench_run.h"
#include "proof/coverage_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  fs::path bench;
  std::optional<fs::path> junit, html, coverage;
  std::vector<std::string> demands, cases;
  unsigned workers = 0;
  bool is_quiet = false;
};

/// Leaves the cases that match one of the globs; without any, all.
void Select(const std::vector<std::string>& globs, Bench& bench, Diagnostics& diagnostics) {
  if (globs.empty()) return;
  std::vector<std::string> known;
  known.reserve(bench.cases.size());
  for (const BenchCase& one : bench.cases) known.push_back(one.name);
  for (const std::string& glob : globs) {
    if (std::ranges::none_of(known, [&](const std::string& name) { return MatchesGlob(name, glob); }))
      diagnostics.Error({std::make_shared<const std::string>("--case " + glob), 0}, {},
                        Fault{"no case " + Quoted(glob), SuggestName("there are", glob, known)});
  }
  std::erase_if(bench.cases, [&](const BenchCase& one) {
    return std::ranges::none_of(globs, [&](const std::string& glob) { return MatchesGlob(one.name, glob); });
  });
}

std::vector<CaseReport> RunCases(const BenchRun& run, std::size_t cases, BenchRun::Options options,
                                 bool is_quiet, std::ostream& err) {
  ProgressBar bar(err, !is_quiet && isatty(STDERR_FILENO) == 1);
  std::stop_source stop;
  Interrupt interrupt({[&stop](int /*signal*/) { stop.request_stop(); }, [] {}});
  options.stop = stop.get_token();
  options.on_case = [&](std::size_t done) {
    bar.Show(static_cast<double>(done) / static_cast<double>(cases),
             std::to_string(done) + " of " + Counted(cases, "case"));
  };
  return run.Run(options);
}

int RunBench(const BenchOptions& options, CommandContext& context) {
  Diagnostics diagnostics;
  Bench bench = LoadBench(options.bench, diagnostics);
  const std::vector<CoverageDemand> demands = ReadCoverageDemands(options.demands, "--require", diagnostics);
  Select(options.cases, bench, diagnostics);
  std::vector<fs::path> inputs{options.bench};
  std::set<fs::path> systems;
  for (const BenchCase& one : bench.cases) {
    if (!one.system.empty() && systems.insert(one.system).second && !context.LoadPlugins(one.system))
      return kWrongInput;
    context.plugins.clear();  // each once
    if (!one.snapshot.empty()) inputs.push_back(one.snapshot);
  }
  inputs.insert(inputs.end(), systems.begin(), systems.end());

  const BenchRun run(bench, context.registry);
  run.Check(diagnostics);
  WrittenFiles files(inputs, diagnostics);
  files.Add("--junit", options.junit);
  files.Add("--html", options.html);
  files.Add("--coverage", options.coverage);
  files.Check();
  PrintDiagnostics(diagnostics, context.err);
  if (diagnostics.has_errors()) return kWrongInput;

  const bool counts = options.coverage || !demands.empty();
  const std::vector<CaseReport> reports = RunCases(
      run, bench.cases.size(),
      {.workers = options.workers > 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency()),
       .counts_coverage = counts},
      options.is_quiet, context.err);
  const CoverageMap coverage = JoinCoverage(reports);
  context.out << TextReport(reports, options.is_quiet);
  if (counts && !options.is_quiet) context.out << CoverageTable(coverage);
  int code = std::ranges::all_of(reports, &CaseReport::is_passed) ? kDone : kRunFailed;
  return ReportCoverage(
      UnmetDemands(coverage, demands),
      [&] {
        WriteFile(options.junit, [&] { return JunitReport(bench, reports); });
        WriteFile(options.coverage, [&] { return CoverageJson(coverage); });
        WriteFile(options.html, [&] { return HtmlReport(bench, reports, coverage); });
      },
      code, context.err);
}

}  // namespace

void AddBenchCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<BenchOptions>();
  command.add_option("BENCH", options->bench, "Bench file (XML)")->required();
  command.add_option("--junit", options->junit, "Writes the result as JUnit XML")->type_name("FILE");
  command
      .add_option("--html", options->html, "Writes the result as a page with plots of failed expectations")
      ->type_name("FILE");
  command.add_option("--coverage", options->coverage, "Writes the coverage of charts as JSON")
      ->type_name("FILE");
  command
      .add_option(
          "--require", options->demands,
          "Fails below this coverage: states, transitions, guards or pairs, such as transitions=100%; may "
          "be given several times")
      ->type_name("KIND=PERCENT")
      ->expected(1)
      ->take_all();
  command.add_option("--case", options->cases, "Runs the cases that match; may be given several times")
      ->type_name("GLOB")
      ->expected(1)
      ->take_all();
  command
      .add_option("-j,--jobs", options->workers,
                  "Number of parallel cases; default: the number of threads of the machine")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--quiet", options->is_quiet, "Prints failed cases only");
  AddPluginOption(command, context);
  command.callback([&context, options] { context.exit_code = RunBench(*options, context); });
}

}  // namespace davit
