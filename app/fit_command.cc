#include "app/fit_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <stdexcept>
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
    if (options_.study.vary.empty())
      diagnostics_.Error({}, {}, "nothing is varied; give for example --vary 'load.mass=5 t:20 t'");
    if (options_.data.empty())
      diagnostics_.Error({}, {}, "there are no data; give for example --data measured.csv");
    if (options_.matches.empty())
      diagnostics_.Error({}, {}, "nothing is matched; give for example --match load.x=x_measured");
    fit_.options = options_.search;
    ReadOffset();
    ReadSettings();
    ReadData();
    setup_.items = fit_.Items();
    std::vector<OutputPath> outputs;
    for (std::size_t d = 0; d < fit_.data.size(); ++d) {
      if (options_.output)
        outputs.push_back({"-o " + options_.output->string(), OfData(*options_.output, d)});
      if (options_.plot) outputs.push_back({"--plot " + options_.plot->string(), OfData(*options_.plot, d)});
    }
    CheckOutputPaths(outputs, StudyInputs(options_.study, *simulation_, options_.data), diagnostics_);
    // The data must be within the run, whatever the offset is.
    if (const std::string fault = fit_.FindFault(); !fault.empty()) diagnostics_.Error({}, {}, fault);
  }

  /// What differs between the experiments.
  void ReadSettings() {
    System& system = simulation_->system();
    fit_.data.resize(options_.data.size());
    for (std::size_t d = 0; d < fit_.data.size(); ++d) {
      fit_.data[d].name = options_.data[d].string();
      fit_.data[d].start = simulation_->start_time();
      fit_.data[d].stop = simulation_->stop_time();
    }
    Fault ignored;
    const auto target_of = [&](const std::string& path) {
      return system.FindSetting(system.root(), path, &ignored)->target();
    };
    for (const VariationText& text : options_.per_data) {
      const std::vector<Variation> read = ReadVariations(system, {text}, diagnostics_);
      if (read.empty()) continue;
      const Variation& setting = read.front();
      if (setting.values.size() != fit_.data.size()) {
        diagnostics_.Error(text.place, {},
                           fmt::format("{} values for {} files of data; give one for each --data",
                                       setting.values.size(), fit_.data.size()));
        continue;
      }
      const auto is_same = [&](const VariedItem& other) {
        return target_of(other.path) == target_of(setting.item.path);
      };
      if (std::ranges::any_of(fit_.Items(), is_same)) {
        diagnostics_.Error(text.place, {}, setting.item.path + " is given twice; give it once");
        continue;
      }
      fit_.settings.push_back(setting.item);
      const bool is_stop = target_of(setting.item.path) == target_of("SimulatorManager.StopTime");
      for (std::size_t d = 0; d < fit_.data.size(); ++d) {
        fit_.data[d].settings.push_back(setting.values[d]);
        if (is_stop) fit_.data[d].stop = setting.values[d].number;
      }
    }
  }

  void ReadData() {
    std::vector<std::optional<ResultTable>> tables;
    tables.reserve(options_.data.size());
    for (const fs::path& file : options_.data) tables.push_back(LoadResult(file, diagnostics_));
    if (std::ranges::any_of(tables, [](const auto& table) { return !table; })) return;
    for (const VariationText& match : options_.matches) ReadMatch(match, tables);
    for (const FitData& data : fit_.data) {
      if (data.matches.empty() && !diagnostics_.has_errors())
        diagnostics_.Error(OptionPlace("--data", data.name), {},
                           "it has none of the columns that are matched; leave it out");
    }
  }

  /// `path` for the experiment number `data`: where there are several, with its number from 1.
  fs::path OfData(const fs::path& path, std::size_t data) const {
    if (fit_.data.size() < 2) return path;
    fs::path numbered = path;
    numbered.replace_filename(
        fmt::format("{}_{}{}", path.stem().string(), data + 1, path.extension().string()));
    return numbered;
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

  void ReadMatch(const VariationText& given, const std::vector<std::optional<ResultTable>>& tables) {
    const auto& [text, place] = given;
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
    match.unit = signal->unit() == kAnyUnit ? std::string() : signal->unit();
    match.signal = setup_.probes.size();
    std::vector<std::string> names;
    bool is_found = false;
    for (std::size_t d = 0; d < tables.size(); ++d) {
      const ResultTable& data = *tables[d];
      const auto column = std::ranges::find(data.names, match.column);
      names.insert(names.end(), data.names.begin(), data.names.end());
      if (column == data.names.end()) continue;
      is_found = true;
      const auto number = static_cast<std::size_t>(column - data.names.begin());
      CheckUnit(place, *signal, data.units[number], match);
      CurveMatch of_data = match;
      if (TakeColumn(place, data, number, of_data)) fit_.data[d].matches.push_back(std::move(of_data));
    }
    if (!is_found) {
      return diagnostics_.Error(place, {},
                                fmt::format("no column {}; {}", Quoted(match.column),
                                            SuggestName("the data have", match.column, names)));
    }
    setup_.probes.push_back(match.path);
  }

  /// The rows of a column that have a number. False after an error.
  bool TakeColumn(const SourceLocation& place, const ResultTable& data, std::size_t column,
                  CurveMatch& match) {
    const std::vector<double>& values = data.columns[column];
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      match.time.push_back(data.time[i]);
      match.values.push_back(values[i]);
    }
    const std::size_t gaps = values.size() - match.values.size();
    if (match.values.empty()) {
      diagnostics_.Error(place, {}, "the column has no values; name another one");
    } else if (gaps > 0) {
      diagnostics_.Warning(
          place, {},
          fmt::format("{} of {} rows have no number in this column; they are left out", gaps, values.size()));
    }
    return !match.values.empty();
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

  int Execute(const Registry& registry) {
    if (ServesOthers(setup_)) {
      ServeCases(setup_, registry, std::move(simulation_));
      return kDone;
    }
    StudyWatch watch(err_, options_.study.is_quiet, 0);
    CasePool pool(setup_, registry, WorkersOf(options_.study), std::move(simulation_));
    const CurveFitResult fitted = FitCurves(pool, fit_, watch.stop());
    const LeastSquaresResult& result = fitted.least_squares;
    watch.Clear();
    if (result.u.empty()) {
      err_ << "error: the first run fails: " << fitted.message << "; begin elsewhere with --set\n";
      return kRunFailed;
    }
    Report(fitted);
    for (std::size_t d = 0; d < fit_.data.size(); ++d) WriteCurves(fitted, d, pool, watch);
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
    if (options_.search.loss != Loss::kLinear)
      out_ << fmt::format("{:<24} {}, scale {:.4g}\n", "loss",
                          kLosses[static_cast<std::size_t>(options_.search.loss)], result.scale);
    const auto cell = [](double value, int digits) {
      return std::isnan(value) ? "-" : fmt::format("{:.{}g}", value, digits);
    };
    out_ << fmt::format("\n{:<24} {:>16} {:>14} {:>14} {:>14} unit\n", "parameter", "value", "std. error",
                        "95 % from", "to");
    for (const FittedUnknown& one : fitted.unknowns) {
      constexpr int kDigits = 6;
      out_ << fmt::format("{:<24} {:>16.9g} {:>14} {:>14} {:>14} {}\n", one.name, one.value,
                          cell(one.error, 3), cell(one.low, kDigits), cell(one.high, kDigits), one.unit);
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

  /// Model and data of one experiment side by side, at the times of the data.
  void WriteCurves(const CurveFitResult& fitted, std::size_t data, CasePool& pool, const StudyWatch& watch) {
    if (!options_.output && !options_.plot) return;
    std::vector<CaseValue> values(fit_.variables.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i].number = fitted.unknowns[i].value;
    const CaseResult best = pool.Run({fit_.CaseOf(values, data)}, watch.stop()).front();
    if (best.is_interrupted) throw std::runtime_error("interrupted: the curves are not written");
    const std::vector<CurveMatch>& matches = fit_.data[data].matches;
    ResultTable table;
    std::vector<double> times;
    for (const CurveMatch& match : matches) {
      table.names.insert(table.names.end(), {match.path, match.column});
      table.units.insert(table.units.end(), {match.unit, match.unit});
      times.insert(times.end(), match.time.begin(), match.time.end());
    }
    table.columns.resize(table.names.size());
    std::ranges::sort(times);
    const auto rest = std::ranges::unique(times);
    times.erase(rest.begin(), rest.end());
    for (const double t : times) {
      table.time.push_back(t);
      for (std::size_t i = 0; i < matches.size(); ++i) {
        const std::vector<double>& of_match = matches[i].time;
        const auto place = std::ranges::lower_bound(of_match, t);
        const bool has_value = place != of_match.end() && *place == t;
        table.columns[2 * i].push_back(ValueAt(best.curves, matches[i].signal, t - fitted.offsets[data]));
        table.columns[2 * i + 1].push_back(
            has_value ? matches[i].values[static_cast<std::size_t>(place - of_match.begin())] : NAN);
      }
    }
    if (options_.output) {
      CsvWriter writer(OfData(*options_.output, data), table.names, table.units);
      std::vector<double> row(table.columns.size());
      for (std::size_t k = 0; k < table.time.size(); ++k) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = table.columns[i][k];
        writer.WriteRow(table.time[k], row);
      }
      writer.Close();
    }
    if (options_.plot)
      PlotTable(table, {}, options_.study.system.stem().string(), OfData(*options_.plot, data), out_, err_);
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
          "Measured signals (.csv, .mat or .h5): a column time [s], others in SI or with a file of units; "
          "may be given several times, for several experiments with the same parameters")
      ->type_name("FILE")
      ->expected(1)
      ->take_all()
      ->required();
  AddTexts(command, "--per-data", fit->per_data,
           "PATH=VALUE,VALUE: a setting or start value that differs between the experiments, one value for "
           "each --data in their order; may be given several times")
      ->type_name("PATH=VALUES");
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
  command
      .add_option_function<std::string>(
          "--loss",
          [fit](const std::string& name) {
            fit->search.loss = static_cast<Loss>(std::ranges::find(kLosses, name) - kLosses.begin());
          },
          "How residuals count: linear (squares); soft_l1, huber, cauchy and arctan damp large ones, so that "
          "outliers do little")
      ->type_name("LOSS")
      ->check(CLI::IsMember(std::vector<std::string>(kLosses.begin(), kLosses.end())));
  command
      .add_option(
          "--loss-scale", fit->search.scale,
          "The weighted residual from which on the loss damps; if not given it follows the residuals: "
          "twice the median of their absolute values")
      ->type_name("X")
      ->check(CLI::PositiveNumber);
  command.add_option("--rounds", fit->search.most_rounds, "Most steps of the search")
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
