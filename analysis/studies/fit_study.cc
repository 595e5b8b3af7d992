#include "analysis/studies/fit_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "analysis/study/case_pool.h"
#include "analysis/study/study_text.h"
#include "framework/counted.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "results/csv_writer.h"
#include "results/curve.h"
#include "results/panel.h"

namespace davit {

namespace fs = std::filesystem;

const StudyKind& FitStudy::Kind() {
  using O = FitOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{kFitName, {}, []() -> std::unique_ptr<Study> { return std::make_unique<FitStudy>(); }};
    kind.options = {
        Row<O>(&O::vary, {.name = "vary",
                          .text = "Quantity to search and its bounds: LOW:HIGH, or 'LOW:HIGH log' for its "
                                  "logarithm; may be given several times",
                          .element = "Vary",
                          .pattern = "path=values"})};
    std::ranges::copy(SharedStudyOptions(), std::back_inserter(kind.options));
    std::ranges::copy(
        std::vector<StudyOption>{
            Row<O>(
                &O::data,
                {.name = "data",
                 .text =
                     "Measured signals (.csv, .mat or .h5): a column time [s], others in SI or with a file "
                     "of units; may be given several times, for several experiments with the same "
                     "parameters",
                 .element = "Data",
                 .pattern = "file",
                 .is_required = true}),
            Row<O>(
                &O::per_data,
                {.name = "per_data",
                 .text =
                     "PATH=VALUE,VALUE: a setting or start value that differs between the experiments, one "
                     "value for each `data` in their order; may be given several times",
                 .form = "PATH=VALUES",
                 .is_in_files = false}),
            Row<O>(&O::matches,
                   {.name = "match",
                    .text = "A signal of the system and the column of the data to match; the weight "
                            "multiplies its residuals; may be given several times",
                    .element = "Match",
                    .pattern = "path=column[:weight]"}),
            Row<O>(&O::offset,
                   {.name = "offset",
                    .text = "Bounds of the time by which the data are late; the search includes it",
                    .form = "LOW:HIGH"}),
            Row<O>([](O& o) -> Loss& { return o.search.loss; },
                   {.name = "loss",
                    .text = "How residuals count: linear (squares); soft_l1, huber, cauchy and arctan damp "
                            "large residuals, which limits the effect of outliers",
                    .choices = {kLosses.begin(), kLosses.end()}}),
            Row<O>([](O& o) -> std::optional<double>& { return o.search.scale; },
                   {.name = "loss_scale",
                    .text = "Weighted residual above which the loss damps; default: twice the median of the "
                            "absolute residuals",
                    .form = "X"}),
            Row<O>([](O& o) -> int& { return o.search.most_rounds; },
                   {.name = "rounds",
                    .text = "Maximum number of steps of the search",
                    .form = "N",
                    .range = {1, 10'000}}),
            Row<O>(&O::output, {.name = "output",
                                .text = "Model and data over time (.csv)",
                                .form = "FILE",
                                .letter = 'o',
                                .usual_file = ".csv"}),
            Row<O>(&O::plot,
                   {.name = "plot", .text = "Draws model and data (.svg or .png)", .form = "FILE"})},
        std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void FitStudy::CheckOptions() {
  fit_.variables = ReadBoundedVariations(tree(), options.vary, diagnostics());
  if (options.vary.empty())
    Fail("nothing is varied; give for example " + Spell("vary", "load.mass=5 t:20 t"));
  if (options.experiments() == 0)
    Fail("there are no data; give for example " + Spell("data", "measured.csv"));
  if (options.matches.empty())
    Fail("nothing is matched; give for example " + Spell("match", "load.x=x_measured"));
  fit_.options = options.search;
  ReadOffset();
  ReadSettings();
  ReadData();
  setup_.items = fit_.Items();
  CheckFiles();
  // The data must be within the run, whatever the offset is.
  if (const std::string fault = fit_.FindFault(); !fault.empty()) Fail(fault);
}

void FitStudy::CheckFiles() {
  for (std::size_t d = 0; d < fit_.data.size(); ++d) {
    if (options.output) AddOutput("output", *options.output, OfData(*options.output, d));
    if (options.plot) AddOutput("plot", *options.plot, OfData(*options.plot, d));
  }
  CheckOutputs(options.data);
}

/// What differs between the experiments.
void FitStudy::ReadSettings() {
  fit_.data.resize(options.experiments());
  for (std::size_t d = 0; d < fit_.data.size(); ++d) {
    fit_.data[d].name = options.tables.empty() ? options.data[d].string() : fmt::format("data {}", d + 1);
    fit_.data[d].start = simulation_->start_time();
    fit_.data[d].stop = simulation_->stop_time();
  }
  Fault ignored;
  const auto target_of = [&](const std::string& path) {
    return tree().FindSetting(tree().root(), path, &ignored)->target();
  };
  for (const VariationText& text : options.per_data) {
    const std::vector<Variation> read = ReadVariations(tree(), {text}, diagnostics());
    if (read.empty()) continue;
    const Variation& setting = read.front();
    if (setting.values.size() != fit_.data.size()) {
      diagnostics().Error(
          text.place, {},
          fmt::format("{} for {} of data; give one for each {}", Counted(setting.values.size(), "value"),
                      Counted(fit_.data.size(), "file"), Spell("data")));
      continue;
    }
    const auto is_same = [&](const VariedItem& other) {
      return target_of(other.path) == target_of(setting.item.path);
    };
    if (std::ranges::any_of(fit_.Items(), is_same)) {
      diagnostics().Error(text.place, {}, setting.item.path + " is given twice; give it once");
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

void FitStudy::ReadData() {
  std::vector<std::vector<ResultTable>> tables = options.tables;
  bool is_complete = true;
  for (std::size_t d = 0; options.tables.empty() && d < options.data.size(); ++d) {
    std::optional<ResultTable> table = LoadResult(options.data[d], diagnostics());
    is_complete = is_complete && table.has_value();
    if (table) tables.push_back({*std::move(table)});
  }
  if (!is_complete) return;
  for (const VariationText& match : options.matches) ReadMatch(match, tables);
  for (const FitData& data : fit_.data) {
    if (data.matches.empty() && !diagnostics().has_errors())
      diagnostics().Error(PlaceOf("data", data.name), {},
                          "it has none of the columns that are matched; leave it out");
  }
}

fs::path FitStudy::OfData(const fs::path& path, std::size_t data) const {
  if (fit_.data.size() < 2) return path;
  fs::path numbered = path;
  numbered.replace_filename(
      fmt::format("{}_{}{}", path.stem().string(), data + 1, path.extension().string()));
  return numbered;
}

void FitStudy::ReadOffset() {
  if (!options.offset) return;
  const SourceLocation place = PlaceOf("offset", *options.offset);
  std::vector<double> bounds;
  for (const std::string_view part : SplitOutside(*options.offset, ':')) {
    const QuantityResult time = ParseQuantity(part, "s", tree().units());
    if (!time.value) return diagnostics().Error(place, {}, time.fault);
    bounds.push_back(time.value->si);
  }
  if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
    return diagnostics().Error(place, {}, "these are not bounds; write LOW:HIGH, as in '-0.1 s:0.1 s'");
  fit_.offset = {bounds[0], bounds[1]};
}

void FitStudy::ReadMatch(const VariationText& given, const std::vector<std::vector<ResultTable>>& tables) {
  const auto& [text, place] = given;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return diagnostics().Error(place, {}, "there is no '='; write PATH=COLUMN, as in load.x=x_measured");
  CurveMatch match{.path = std::string(TrimBlanks(std::string_view(text).substr(0, equals))), .column = {}};
  match.column = TrimBlanks(std::string_view(text).substr(equals + 1));
  if (const std::size_t colon = match.column.rfind(':'); colon != std::string::npos) {
    const std::string weight = match.column.substr(colon + 1);
    match.column.resize(colon);
    if (ParseLeadingNumber(weight, match.weight) != weight.size() || weight.empty() || !(match.weight > 0))
      return diagnostics().Error(place, {}, Quoted(weight) + " is not a weight; write a number above 0");
  }
  Fault fault;
  const std::optional<Item> signal = tree().FindVariable(tree().root(), match.path, &fault);
  if (!signal) return diagnostics().Error(place, {}, fault);
  match.unit = signal->unit() == kAnyUnit ? std::string() : signal->unit();
  match.signal = setup_.probes.size();
  std::vector<std::string> names;
  bool is_found = false;
  for (std::size_t d = 0; d < tables.size(); ++d) {
    for (const ResultTable& data : tables[d]) {
      const auto column = std::ranges::find(data.names, match.column);
      names.insert(names.end(), data.names.begin(), data.names.end());
      if (column == data.names.end()) continue;
      is_found = true;
      const auto number = static_cast<std::size_t>(column - data.names.begin());
      CheckUnit(place, *signal, data.units[number], match);
      CurveMatch of_data = match;
      if (TakeColumn(place, data, number, of_data)) fit_.data[d].matches.push_back(std::move(of_data));
    }
  }
  if (!is_found) {
    return diagnostics().Error(place, {},
                               fmt::format("no column {}; {}", Quoted(match.column),
                                           SuggestName("the data have", match.column, names)));
  }
  setup_.probes.push_back(match.path);
}

/// The rows of a column that have a number. False after an error.
bool FitStudy::TakeColumn(const SourceLocation& place, const ResultTable& data, std::size_t column,
                          CurveMatch& match) {
  const std::vector<double>& values = data.columns[column];
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    match.time.push_back(data.time[i]);
    match.values.push_back(values[i]);
  }
  const std::size_t gaps = values.size() - match.values.size();
  if (match.values.empty()) {
    diagnostics().Error(place, {}, "the column has no values; name another one");
  } else if (gaps > 0) {
    diagnostics().Warning(
        place, {},
        fmt::format("{} of {} rows have no number in this column; they are ignored", gaps, values.size()));
  }
  return !match.values.empty();
}

void FitStudy::CheckUnit(const SourceLocation& place, const Item& signal, const std::string& unit,
                         const CurveMatch& match) {
  const UnitSystem& units = tree().units();
  const auto of_data = units.Find(unit);
  const auto of_signal = units.Find(signal.unit());
  if (unit.empty() || !of_data || !of_signal || of_data->dimension == of_signal->dimension) return;
  diagnostics().Error(place, {},
                      fmt::format("{} is in {}, {} in {}; both must have the same dimension", match.path,
                                  signal.unit(), match.column, unit));
}

void FitStudy::Execute(const StudyCalls& calls) {
  CasePool pool(setup_, registry(), workers(), std::move(simulation_));
  has_run_ = true;
  result_ = FitCurves(pool, fit_, calls.stop);
  if (result_.least_squares.u.empty()) {
    fault_ = fmt::format("the first run fails: {}; begin elsewhere with {}", result_.message, Spell("set"));
    return;
  }
  has_result_ = true;
  if (!options.output && !options.plot) return;
  for (std::size_t d = 0; d < fit_.data.size(); ++d) {
    const ResultTable table = CurvesOf(d, pool, calls.stop);
    if (options.plot) Draw(table, OfData(*options.plot, d));
    if (!options.output) continue;
    CsvWriter writer(OfData(*options.output, d), table.names, table.units);
    std::vector<double> row(table.columns.size());
    for (std::size_t k = 0; k < table.time.size(); ++k) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = table.columns[i][k];
      writer.WriteRow(table.time[k], row);
    }
    writer.Close();
  }
}

void FitStudy::Draw(const ResultTable& table, const fs::path& picture) const {
  const NamedResult result{&table, TitleOfPictures()};
  const std::vector<Curve> curves = MakeCurves({&result, 1});
  std::vector<std::size_t> all(curves.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  WritePicture(picture,
               MakeGnuplotScript(curves, MakePanels(curves, all), {}, result.name, FormatOf(picture)));
}

/// Model and data of one experiment side by side, at the times of the data.
ResultTable FitStudy::CurvesOf(std::size_t data, CasePool& pool, const std::stop_token& stop) const {
  std::vector<CaseValue> values(fit_.variables.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i].number = result_.unknowns[i].value;
  const CaseResult best = pool.Run({fit_.CaseOf(values, data)}, stop).front();
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
      table.columns[2 * i].push_back(ValueAt(best.curves, matches[i].signal, t - result_.offsets[data]));
      table.columns[2 * i + 1].push_back(
          has_value ? matches[i].values[static_cast<std::size_t>(place - of_match.begin())] : NAN);
    }
  }
  return table;
}

StudyFacts FitStudy::Facts() const {
  const std::vector<FittedUnknown>& unknowns = result_.unknowns;
  const LeastSquaresResult& squares = result_.least_squares;
  const std::vector<std::string> names = MembersOf(unknowns, &FittedUnknown::name);
  std::vector<std::vector<double>> correlation;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const auto row = squares.correlation.begin() + static_cast<std::ptrdiff_t>(i * unknowns.size());
    correlation.emplace_back(row, row + static_cast<std::ptrdiff_t>(unknowns.size()));
  }
  std::vector<std::vector<std::string>> ambiguities;
  for (const Ambiguity& ambiguity : squares.ambiguities) {
    std::vector<std::string>& together = ambiguities.emplace_back();
    for (const std::size_t unknown : ambiguity.unknowns) together.push_back(names[unknown]);
  }
  return {{"names", names},
          {"units", MembersOf(unknowns, &FittedUnknown::unit)},
          {"values", MembersOf(unknowns, &FittedUnknown::value)},
          {"errors", MembersOf(unknowns, &FittedUnknown::error)},
          {"bounds", MembersOf(unknowns, &FittedUnknown::bound)},
          {"correlation", correlation},
          {"rms", squares.rms()},
          {"is_converged", squares.is_converged},
          {"runs", result_.runs},
          {"ambiguities", ambiguities}};
}

}  // namespace davit
