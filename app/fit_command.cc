#include "app/fit_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <utility>

#include "analysis/study/case_pool.h"
#include "analysis/study/curve_fit.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_text.h"
#include "app/exit_code.h"
#include "app/plot_command.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "framework/xml/schedule_reader.h"
#include "results/csv_writer.h"
#include "results/load_result.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// One `davit fit`.
class FitCommand {
 public:
  FitCommand(const FitOptions& options, std::ostream& out, std::ostream& err)
      : options_(options), out_(out), err_(err), setup_(MakeCaseSetup(options.study)) {}

  int Run(const Registry& registry) {
    simulation_ = LoadStudySystem(options_.study, registry, err_);
    if (simulation_ == nullptr) return kWrongInput;
    Check();
    return ExecuteStudy(
        diagnostics_, err_, [&] { return Execute(registry); }, [&] { return true; });
  }

 private:
  void Check() {
    fit_.variables = ReadBoundedVariations(simulation_->system(), options_.study.vary, diagnostics_);
    for (const BoundedVariation& variable : fit_.variables) setup_.items.push_back(variable.item);
    if (options_.study.vary.empty())
      diagnostics_.Error({}, {}, "nothing is varied; give for example --vary 'load.mass=5 t:20 t'");
    if (options_.matches.empty())
      diagnostics_.Error({}, {}, "nothing is matched; give for example --match load.x=x_measured");
    ReadOffset();
    if (const std::optional<ResultTable> data = LoadResult(options_.data, diagnostics_)) {
      for (const VariationText& match : options_.matches) ReadMatch(match.text, match.place, *data);
    }
    std::vector<OutputPath> outputs;
    if (options_.output) outputs.push_back({"-o " + options_.output->string(), *options_.output});
    if (options_.plot) outputs.push_back({"--plot " + options_.plot->string(), *options_.plot});
    CheckOutputPaths(outputs, StudyInputs(options_.study, *simulation_, options_.data), diagnostics_);
    CheckTimes();
  }

  void ReadOffset() {
    if (!options_.offset) return;
    const SourceLocation place = OptionPlace("--offset", *options_.offset);
    const auto parts = SplitOutside(*options_.offset, ':');
    std::vector<double> bounds;
    for (const std::string_view part : parts) {
      const QuantityResult time = ParseQuantity(part, "s", simulation_->system().units());
      if (!time.value) return diagnostics_.Error(place, {}, time.fault);
      bounds.push_back(time.value->si);
    }
    if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
      return diagnostics_.Error(place, {}, "these are no bounds; write LOW:HIGH, as in '-0.1 s:0.1 s'");
    fit_.offset = {bounds[0], bounds[1]};
  }

  void ReadMatch(const std::string& text, const SourceLocation& place, const ResultTable& data) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      return diagnostics_.Error(place, {}, "there is no '='; write PATH=COLUMN, as in load.x=x_measured");
    CurveMatch match{.path = std::string(TrimBlanks(std::string_view(text).substr(0, equals))), .column = {}};
    match.column = TrimBlanks(std::string_view(text).substr(equals + 1));
    if (const std::size_t colon = match.column.rfind(':'); colon != std::string::npos) {
      const std::string weight = match.column.substr(colon + 1);
      match.column.resize(colon);
      if (ParseLeadingNumber(weight, match.weight) != weight.size() || weight.empty() || !(match.weight > 0))
        return diagnostics_.Error(place, {}, Quoted(weight) + " is no weight; write a number above 0");
    }
    Fault fault;
    const std::optional<Item> signal =
        simulation_->system().FindVariable(simulation_->system().root(), match.path, &fault);
    if (!signal) return diagnostics_.Error(place, {}, fault);
    const auto column = std::ranges::find(data.names, match.column);
    if (column == data.names.end()) {
      return diagnostics_.Error(place, {},
                                fmt::format("no column {}; {}", Quoted(match.column),
                                            SuggestName("the data have", match.column, data.names)));
    }
    const auto place_of_column = static_cast<std::size_t>(column - data.names.begin());
    CheckUnit(place, *signal, data.units[place_of_column], match);
    const std::vector<double>& values = data.columns[place_of_column];
    std::size_t gaps = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) {
        ++gaps;
        continue;
      }
      match.time.push_back(data.time[i]);
      match.values.push_back(values[i]);
    }
    if (match.values.empty())
      return diagnostics_.Error(place, {}, "the column has no values; name another one");
    if (gaps > 0)
      diagnostics_.Warning(
          place, {},
          fmt::format("{} of {} rows have no number in this column; they are left out", gaps, values.size()));
    match.unit = signal->unit() == kAnyUnit ? std::string() : signal->unit();
    setup_.probes.push_back(match.path);
    fit_.matches.push_back(std::move(match));
  }

  void CheckUnit(const SourceLocation& place, const Item& signal, const std::string& unit,
                 const CurveMatch& match) {
    const UnitSystem& units = simulation_->system().units();
    const auto of_data = units.Find(unit);
    const auto of_signal = units.Find(signal.unit());
    if (unit.empty() || !of_data || !of_signal || of_data->dimension == of_signal->dimension) return;
    diagnostics_.Error(place, {},
                       fmt::format("{} is in {}, {} in {}; both must have the same dimension", match.path,
                                   signal.unit(), match.column, unit));
  }

  /// The data must be within the run, whatever the offset is.
  void CheckTimes() {
    const std::string fault = fit_.FaultOfData(simulation_->start_time(), simulation_->stop_time());
    if (!fault.empty()) diagnostics_.Error(OptionPlace("--data", options_.data.string()), {}, fault);
  }

  int Execute(const Registry& registry) {
    if (ServesOthers(setup_)) {
      ServeCases(setup_, registry, std::move(simulation_));
      return kDone;
    }
    StudyWatch watch(err_, options_.study.is_quiet, 0);
    CasePool pool(setup_, registry, WorkersOf(options_.study), std::move(simulation_));
    fit_.rounds = options_.rounds;
    const CurveFitResult fitted = FitCurves(pool, fit_, watch.stop());
    const LeastSquaresResult& result = fitted.least_squares;
    watch.Clear();
    if (result.u.empty()) {
      err_ << "error: the first run fails: " << fitted.message << "; begin elsewhere with --set\n";
      return kRunFailed;
    }
    Report(fitted);
    WriteCurves(fitted, pool, watch);
    if (result.is_converged) return kDone;
    err_ << "error: the fit has not converged; give more --rounds, or narrower bounds\n";
    return kRunFailed;
  }

  void Report(const CurveFitResult& fitted) {
    const LeastSquaresResult& result = fitted.least_squares;
    const std::size_t n = fitted.unknowns.size();
    out_ << fmt::format("{:<24} {}\n{:<24} {}\n{:<24} {:.6g}\n", "runs", fitted.runs, "values",
                        result.residuals, "residual (rms)",
                        std::sqrt(result.sum_of_squares / static_cast<double>(result.residuals)));
    out_ << fmt::format("\n{:<24} {:>16} {:>14} unit\n", "parameter", "value", "std. error");
    for (const FittedUnknown& one : fitted.unknowns) {
      out_ << fmt::format("{:<24} {:>16.9g} {:>14} {}\n", one.name, one.value,
                          std::isnan(one.error) ? "-" : fmt::format("{:.3g}", one.error), one.unit);
    }
    if (n > 1) {
      out_ << "\ncorrelation\n";
      for (std::size_t i = 0; i < n; ++i) {
        out_ << fmt::format("{:<24}", fitted.unknowns[i].name);
        for (std::size_t k = 0; k < n; ++k) {
          const double c = result.correlation[i * n + k];
          out_ << (std::isnan(c) ? fmt::format(" {:>7}", "-")
                                 : fmt::format(" {:>7.3f}", std::abs(c) < 5e-4 ? 0 : c));
        }
        out_ << '\n';
      }
    }
    for (const Ambiguity& ambiguity : result.ambiguities) {
      std::string names;
      for (const std::size_t unknown : ambiguity.unknowns)
        names += (names.empty() ? "" : ", ") + fitted.unknowns[unknown].name;
      err_ << (ambiguity.unknowns.size() == 1
                   ? fmt::format("warning: {} has no influence on the data; leave it out\n", names)
                   : fmt::format(
                         "warning: {} cannot be told apart by these data; fix one of them, or measure more\n",
                         names));
    }
    for (const FittedUnknown& one : fitted.unknowns) {
      if (one.bound != 0)
        err_ << fmt::format("warning: {} is at its {} bound; widen it\n", one.name,
                            one.bound < 0 ? "lower" : "upper");
    }
  }

  /// Model and data side by side, at the times of the data.
  void WriteCurves(const CurveFitResult& fitted, CasePool& pool, const StudyWatch& watch) {
    if (!options_.output && !options_.plot) return;
    std::vector<CaseValue> values;
    values.reserve(fit_.variables.size());
    for (std::size_t i = 0; i < fit_.variables.size(); ++i)
      values.push_back({.number = fitted.unknowns[i].value});
    const CaseResult best = pool.Run({values}, watch.stop()).front();
    ResultTable table;
    for (const CurveMatch& match : fit_.matches) {
      table.names.insert(table.names.end(), {match.path, match.column});
      table.units.insert(table.units.end(), {match.unit, match.unit});
    }
    table.columns.resize(table.names.size());
    std::vector<double> times;
    for (const CurveMatch& match : fit_.matches)
      times.insert(times.end(), match.time.begin(), match.time.end());
    std::ranges::sort(times);
    const auto rest = std::ranges::unique(times);
    times.erase(rest.begin(), rest.end());
    for (const double t : times) {
      table.time.push_back(t);
      for (std::size_t i = 0; i < fit_.matches.size(); ++i) {
        const auto place = std::ranges::lower_bound(fit_.matches[i].time, t);
        const bool has_value = place != fit_.matches[i].time.end() && *place == t;
        table.columns[2 * i].push_back(ValueAt(best.curves, i, t - fitted.offset));
        table.columns[2 * i + 1].push_back(
            has_value ? fit_.matches[i].values[static_cast<std::size_t>(place - fit_.matches[i].time.begin())]
                      : NAN);
      }
    }
    if (options_.output) {
      CsvWriter writer(*options_.output, table.names, table.units);
      std::vector<double> row(table.columns.size());
      for (std::size_t k = 0; k < table.time.size(); ++k) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = table.columns[i][k];
        writer.WriteRow(table.time[k], row);
      }
      writer.Close();
    }
    if (options_.plot)
      PlotTable(table, {}, options_.study.system.stem().string(), *options_.plot, out_, err_);
  }

  const FitOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  CaseSetup setup_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
  CurveFit fit_;
};

}  // namespace

int RunFit(const FitOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  return FitCommand(options, out, err).Run(registry);
}

void AddFitCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command =
      *program.add_subcommand("fit", "Searches values of parameters for which signals follow measured ones");
  const auto fit = std::make_shared<FitOptions>();
  AddStudyOptions(
      command, fit->study,
      "What is searched, between two bounds: LOW:HIGH, or 'LOW:HIGH log' for the logarithm; may be given "
      "several times");
  command
      .add_option(
          "--data", fit->data,
          "Measured signals (.csv, .mat or .h5): a column time [s], others in SI or with a file of units")
      ->type_name("FILE")
      ->required();
  AddTexts(
      command, "--match", fit->matches,
      "PATH=COLUMN[:WEIGHT]: a signal of the system and the column of the data that it shall follow; the "
      "weight multiplies its residuals; may be given several times")
      ->type_name("PATH=COLUMN");
  command
      .add_option(
          "--offset", fit->offset,
          "LOW:HIGH: the clock of the data may be ahead by a time between these, which is searched, too")
      ->type_name("LOW:HIGH");
  command.add_option("--rounds", fit->rounds, "Most steps of the search")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000));
  command.add_option("-o,--output", fit->output, "Model and data over time (.csv)")->type_name("FILE");
  command.add_option("--plot", fit->plot, "Draws model and data (.svg or .png)")->type_name("FILE");
  AddPluginOption(command, context);
  command.callback([&context, fit] {
    fit->study.ranks = context.ranks;
    const bool is_right = context.LoadPlugins(fit->study.system);
    context.exit_code = is_right ? RunFit(*fit, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
