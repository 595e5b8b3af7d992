#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "analysis/sensitivity/run_differences.h"
#include "analysis/sensitivity/sobol_indices.h"
#include "analysis/sensitivity/variational_run.h"
#include "analysis/study/case_list.h"
#include "analysis/study/case_pool.h"
#include "analysis/study/constraint.h"
#include "analysis/study/curve_fit.h"
#include "analysis/study/optimization.h"
#include "analysis/study/population_search.h"
#include "analysis/study/sampling.h"
#include "analysis/study/study_file.h"
#include "framework/nearest_name.h"
#include "python/binding.h"
#include "python/system_handle.h"
#include "python/watched_call.h"
#include "session/record_plan.h"
#include "session/result_columns.h"

namespace davit {
namespace {

using Texts = std::vector<std::string>;

/// One study: a system that is run for many values. Python gives all but numbers as the texts of the command
/// line.
class Study {
 public:
  /// `system` is loaded and has not run; the cases load it again.
  Study(const std::shared_ptr<SystemHandle>& system, const Texts& signals, unsigned jobs,
        const py::object& judge)
      : system_(system),
        use_(system->Enter("a study")),
        jobs_(jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency())),
        judge_(judge) {
    const SystemSource& source = system->source();
    setup_.system = source.file;
    setup_.text = source.text;
    setup_.options = source.options;
    setup_.options.threads = 1;
    setup_.options.log = [](RunLog::Severity, std::string_view) {};
    if (!simulation().manager().autostart()) {
      RaiseInputError(
          "/SimulatorManager: Autostart is false, and nobody can send the message Start; give "
          "set={\"SimulatorManager.Autostart\": True}");
    }
    if (!signals.empty() || !judge.is_none()) ChooseProbes(signals);
  }
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  Simulation& simulation() const { return *use_; }
  System& tree() const { return use_->system(); }
  CaseSetup& setup() { return setup_; }
  unsigned jobs() const { return jobs_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  std::stop_token stop() const { return stop_.get_token(); }

  void AddMeasures(const std::vector<std::pair<std::string, std::string>>& measures) {
    for (const auto& [name, text] : measures)
      setup_.measures.push_back({name, text, PlaceOf("measure", text)});
  }
  static SourceLocation PlaceOf(const char* argument, const std::string& text) {
    return {std::make_shared<const std::string>(fmt::format("{}: {}", argument, text)), 0};
  }
  std::vector<VariationText> TextsOf(const char* argument, const Texts& texts) const {
    std::vector<VariationText> all;
    all.reserve(texts.size());
    for (const std::string& text : texts) all.push_back({text, PlaceOf(argument, text)});
    return all;
  }
  /// Values that `judge` gives, after the measures.
  void Expect(std::size_t judged) {
    if (judge_.is_none()) return;
    setup_.judged = judged;
    setup_.judge = [this](const CaseCurves& curves) { return Judge(curves); };
  }
  /// Compiles the measures; raises InputError for all that is wrong so far.
  Texts UnitsOfMeasures(const Objective::Layout& layout) {
    const MeasureSet measures(simulation(), setup_.measures, diagnostics_);
    if (!diagnostics_.has_errors()) CheckConstraints(layout, setup_.measures, measures, diagnostics_);
    RaiseIfFaulty(diagnostics_);
    return measures.units();
  }
  /// Runs `call(pool)`; Ctrl-C ends it after the cases that run, what `judge` has raised at once.
  template <class Call>
  void RunPool(Call call) {
    Run([&] {
      CasePool pool(setup_, *system_->source().models, jobs_);
      call(pool);
    });
  }
  /// Runs `call()` in the same way.
  template <class Call>
  void Run(Call call) {
    try {
      CallWatched(call, [this](bool /*is_urgent*/) { stop_.request_stop(); });
    } catch (const std::runtime_error&) {
      if (!raised_) throw;  // else it follows from that
    }
    if (raised_) throw std::exchange(raised_, std::nullopt).value();
  }

 private:
  void ChooseProbes(const Texts& signals) {
    RecordPlan plan = MakeRecordPlan(tree(), signals, 0.0, diagnostics_);
    RaiseIfFaulty(diagnostics_);
    columns_ = ResultColumnsOf(plan);
    for (const ResultColumn& column : columns_) setup_.probes.push_back(column.path);
  }

  std::vector<double> Judge(const CaseCurves& curves) {
    const py::gil_scoped_acquire acquire;
    try {
      auto result = std::make_shared<Result>(columns_);
      result->time = curves.time;
      result->values = curves.signals;
      auto values = judge_(result).cast<std::vector<double>>();
      if (values.size() != setup_.judged)
        throw std::runtime_error("the objectives give another number of values");
      return values;
    } catch (py::error_already_set& raised) {
      const std::lock_guard lock(mutex_);
      if (!raised_) raised_.emplace(std::move(raised));
    }
    stop_.request_stop();
    throw std::runtime_error("the objective raised an exception");
  }

  std::shared_ptr<SystemHandle> system_;
  SystemHandle::Use use_;
  unsigned jobs_;
  py::object judge_;
  CaseSetup setup_;
  Diagnostics diagnostics_;
  std::vector<ResultColumn> columns_;  ///< of the probes
  std::stop_source stop_;
  std::mutex mutex_;
  std::optional<py::error_already_set> raised_;
};

/// The rows of a study as they come, in any order.
class Rows {
 public:
  Rows(const std::vector<VariedItem>& items, std::size_t values) : items_(items), values_(values) {}

  void Add(std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
    const std::lock_guard lock(mutex_);
    rows_[number] = {
        {values.begin(), values.end()}, result.measures, result.is_done, result.message, result.wall_s};
  }
  /// A dictionary of columns, each a list or an array.
  py::dict ToDict(const std::vector<std::string>& names, const std::vector<std::string>& units) const {
    py::dict columns, unit_of;
    std::vector<double> numbers, wall;
    py::list status, messages;
    for (const auto& [number, row] : rows_) {
      numbers.push_back(static_cast<double>(number));
      wall.push_back(row.wall_s);
      status.append(row.is_done ? "done" : "failed");
      messages.append(row.message);
    }
    columns["case"] = ArrayOf(numbers);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].is_number) {
        columns[py::str(items_[i].path)] = Column([&](const Row& row) { return row.values[i].number; });
      } else {
        py::list texts;
        for (const auto& [number, row] : rows_) texts.append(row.values[i].text);
        columns[py::str(items_[i].path)] = texts;
      }
      unit_of[py::str(items_[i].path)] = items_[i].unit;
    }
    for (std::size_t i = 0; i < values_; ++i) {
      columns[py::str(names[i])] = Column([&](const Row& row) { return row.measures[i]; });
      unit_of[py::str(names[i])] = i < units.size() ? units[i] : std::string();
    }
    columns["status"] = status;
    columns["message"] = messages;
    columns["wall_s"] = ArrayOf(wall);
    py::dict table;
    table["columns"] = columns;
    table["units"] = unit_of;
    return table;
  }

 private:
  struct Row {
    std::vector<CaseValue> values;
    std::vector<double> measures;
    bool is_done = false;
    std::string message;
    double wall_s = 0;
  };
  template <class Read>
  py::array_t<double> Column(Read read) const {
    std::vector<double> column;
    column.reserve(rows_.size());
    for (const auto& [number, row] : rows_) column.push_back(read(row));
    return ArrayOf(column);
  }

  const std::vector<VariedItem>& items_;
  std::size_t values_;
  std::mutex mutex_;
  std::map<std::uint64_t, Row> rows_;
};

Texts NamesOf(const CaseSetup& setup, const Texts& judged) {
  Texts names;
  for (const MeasureDefinition& measure : setup.measures) names.push_back(measure.name);
  names.insert(names.end(), judged.begin(), judged.end());
  return names;
}

py::dict Sweep(const std::shared_ptr<SystemHandle>& system, const Texts& vary,
               const std::vector<std::pair<std::string, std::string>>& measures, const Texts& judged,
               const py::object& judge, const Texts& signals, const std::optional<std::string>& file,
               std::optional<std::uint64_t> samples, const std::string& sampling, std::uint64_t seed,
               unsigned jobs) {
  Study study(system, signals, jobs, judge);
  const std::vector<VariationText> texts = study.TextsOf("vary", vary);
  CaseList cases;
  if (samples) {
    static const Texts kNames{"lhs", "sobol", "random"};
    if (std::ranges::find(kNames, sampling) == kNames.end())
      RaiseInputError(fmt::format("sampling: no sampling {}; {}", Quoted(sampling),
                                  SuggestName("there are", sampling, kNames)));
    const Sampling how = sampling == "sobol"    ? Sampling::kSobol
                         : sampling == "random" ? Sampling::kRandom
                                                : Sampling::kLatinHypercube;
    const auto variations = ReadRandomVariations(study.tree(), texts, study.diagnostics());
    if (!study.diagnostics().has_errors()) cases = CaseList(variations, how, *samples, seed);
  } else if (file) {
    cases = LoadCases(*file, study.tree(), study.diagnostics());
  } else {
    cases = CaseList(ReadVariations(study.tree(), texts, study.diagnostics()));
  }
  RaiseIfFaulty(study.diagnostics());
  if (cases.size() > CaseList::kMostCases)
    RaiseInputError(
        fmt::format("there are more than {} cases; give longer steps, or samples=N", CaseList::kMostCases));
  study.setup().items = cases.items();
  study.AddMeasures(measures);
  study.Expect(judged.size());
  const Texts units = study.UnitsOfMeasures({.objectives = 0, .signs = {}});
  Rows rows(study.setup().items, measures.size() + judged.size());
  std::vector<std::uint64_t> numbers(cases.size());
  for (std::uint64_t i = 0; i < numbers.size(); ++i) numbers[i] = i + 1;
  study.RunPool([&](CasePool& pool) {
    pool.Run(
        numbers, [&](std::uint64_t number) { return cases.CaseAt(number - 1); },
        [&](std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
          rows.Add(number, values, result);
        },
        study.stop());
  });
  return rows.ToDict(NamesOf(study.setup(), judged), units);
}

py::dict OptimizeSystem(const std::shared_ptr<SystemHandle>& system, const Texts& vary,
                        const std::vector<std::pair<std::string, std::string>>& measures, const Texts& goals,
                        const std::vector<double>& signs, const Texts& constraints, const py::object& judge,
                        const Texts& signals, const std::string& method, std::uint64_t budget,
                        double tolerance, std::uint64_t seed, unsigned jobs) {
  Study study(system, signals, jobs, judge);
  const auto known = std::ranges::find(kOptimizationMethods, method);
  if (known == kOptimizationMethods.end()) {
    const Texts names(kOptimizationMethods.begin(), kOptimizationMethods.end());
    RaiseInputError(
        fmt::format("method: no method {}; {}", Quoted(method), SuggestName("there are", method, names)));
  }
  const std::vector<BoundedVariation> variables =
      ReadBoundedVariations(study.tree(), study.TextsOf("vary", vary), study.diagnostics());
  for (const BoundedVariation& variable : variables) study.setup().items.push_back(variable.item);
  study.AddMeasures(measures);
  Objective::Layout layout{.first_objective = measures.size(), .objectives = signs.size(), .signs = signs};
  Texts goal_names;
  for (std::size_t i = 0; i < signs.size(); ++i)
    goal_names.push_back(signs.size() > 1 ? fmt::format("objective{}", i + 1) : "objective");
  for (std::size_t i = 0; i < goals.size(); ++i)
    study.setup().measures.push_back({goal_names[i], goals[i], Study::PlaceOf("minimize", goals[i])});
  for (const std::string& constraint : constraints) {
    AddConstraint(constraint, Study::PlaceOf("subject_to", constraint), study.setup().measures, layout,
                  study.diagnostics());
  }
  if (goals.empty()) layout.first_objective = study.setup().measures.size();
  const Texts judged = goals.empty() ? goal_names : Texts{};
  study.Expect(judged.size());
  const Texts units = study.UnitsOfMeasures(layout);
  Rows rows(study.setup().items, study.setup().measures.size() + judged.size());
  SearchOutcome outcome;
  std::vector<Evaluation> best;
  std::vector<CaseValue> values;
  std::vector<int> bounds;
  std::string fault;
  study.RunPool([&](CasePool& pool) {
    Objective objective(
        pool, variables, layout, budget,
        [&](std::uint64_t number, std::span<const CaseValue> of_case, const CaseResult& result) {
          rows.Add(number, of_case, result);
        },
        study.stop());
    if (const Fault wrong =
            FaultOfMethod(static_cast<OptimizationMethod>(known - kOptimizationMethods.begin()), objective)) {
      fault = "method: " + wrong.ToText();
      return;
    }
    outcome = Optimize(objective, static_cast<OptimizationMethod>(known - kOptimizationMethods.begin()),
                       objective.StartPoint(), tolerance, seed);
    if (layout.objectives > 1) {
      best = FrontOf(objective.all());
    } else if (objective.best() != nullptr && objective.best()->is_valid) {
      best = {*objective.best()};
      values = objective.ToValues(best[0].u);
      bounds = FindBounds(best[0]);
    }
  });
  if (!fault.empty()) RaiseInputError(fault);
  py::dict found;
  found["table"] = rows.ToDict(NamesOf(study.setup(), judged), units);
  found["is_converged"] = outcome.is_converged();
  py::list cases;
  for (const Evaluation& one : best) cases.append(one.number);
  found["best"] = cases;
  py::list found_values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (variables[i].item.is_number) {
      found_values.append(values[i].number);
    } else {
      found_values.append(values[i].text);
    }
  }
  found["values"] = found_values;
  found["bounds"] = bounds;
  found["holds"] = outcome.is_feasible;
  if (!best.empty()) found["objective"] = layout.signs[0] * best[0].objectives[0];
  return found;
}

py::dict FitSystem(
    const std::shared_ptr<SystemHandle>& system, const Texts& vary,
    const std::vector<std::tuple<std::string, std::vector<double>, std::vector<double>, double>>& data,
    std::optional<std::pair<double, double>> offset, int rounds, unsigned jobs) {
  Study study(system, {}, jobs, py::none());
  CurveFit fit{.offset = offset, .options = {.most_rounds = rounds}};
  FitData& one_run = fit.data.emplace_back(FitData{
      .name = "data", .start = study.simulation().start_time(), .stop = study.simulation().stop_time()});
  fit.variables = ReadBoundedVariations(study.tree(), study.TextsOf("vary", vary), study.diagnostics());
  for (const BoundedVariation& variable : fit.variables) study.setup().items.push_back(variable.item);
  for (const auto& [path, time, values, weight] : data) {
    Fault fault;
    const std::optional<Item> signal = study.tree().FindVariable(study.tree().root(), path, &fault);
    if (!signal) {
      study.diagnostics().Error(Study::PlaceOf("match", path), {}, fault);
      continue;
    }
    const std::string unit = signal->unit() == kAnyUnit ? std::string() : signal->unit();
    one_run.matches.push_back({.path = path,
                               .column = path,
                               .unit = unit,
                               .signal = study.setup().probes.size(),
                               .weight = weight,
                               .time = time,
                               .values = values});
    study.setup().probes.push_back(path);
  }
  RaiseIfFaulty(study.diagnostics());
  if (const std::string fault = fit.FindFault(); !fault.empty()) RaiseInputError(fault);
  CurveFitResult result;
  study.RunPool([&](CasePool& pool) { result = FitCurves(pool, fit, study.stop()); });
  if (result.least_squares.u.empty())
    RaiseInputError(fmt::format("the first run fails: {}; begin elsewhere with set=", result.message));
  const std::size_t n = result.unknowns.size();
  py::dict found;
  py::list names, units;
  std::vector<double> values, errors;
  std::vector<int> bounds;
  for (const FittedUnknown& one : result.unknowns) {
    names.append(one.name);
    units.append(one.unit);
    values.push_back(one.value);
    errors.push_back(one.error);
    bounds.push_back(one.bound);
  }
  found["names"] = names;
  found["units"] = units;
  found["values"] = ArrayOf(values);
  found["errors"] = ArrayOf(errors);
  found["bounds"] = bounds;
  found["correlation"] = py::array_t<double>({n, n}, result.least_squares.correlation.data());
  found["rms"] =
      std::sqrt(result.least_squares.sum_of_squares / static_cast<double>(result.least_squares.residuals));
  found["is_converged"] = result.least_squares.is_converged;
  found["runs"] = result.runs;
  py::list ambiguities;
  for (const Ambiguity& ambiguity : result.least_squares.ambiguities) {
    py::list together;
    for (const std::size_t unknown : ambiguity.unknowns) together.append(names[unknown]);
    ambiguities.append(together);
  }
  found["ambiguities"] = ambiguities;
  return found;
}

py::array_t<double> TableOf(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  py::array_t<double> array({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  auto to = array.mutable_unchecked<2>();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < columns; ++k)
      to(static_cast<py::ssize_t>(i), static_cast<py::ssize_t>(k)) = rows[i][k];
  return array;
}

/// The parameter of a slope, and the size of the steps about its value.
void AddParameter(Study& study, const std::string& path, double share, std::vector<SensitivityStep>& steps) {
  const SourceLocation place = Study::PlaceOf("to", path);
  std::optional<VariedItem> item = FindVariedItem(study.tree(), path, place, study.diagnostics());
  if (!item) return;
  if (!item->is_number) {
    return study.diagnostics().Error(
        place, {}, item->path + " is a choice, which has no slope; give its values to davit.sweep");
  }
  Fault ignored;
  const Item found = *study.tree().FindSetting(study.tree().root(), item->path, &ignored);
  SensitivityStep step{.value = found.Read(), .size = std::abs(found.Read()), .range = found.range()};
  if (found.kind() == Item::Kind::kState) step.size = std::max(step.size, std::abs(found.state()->nominal));
  if (!(step.size > 0) || !std::isfinite(step.size) || !step.HasRoom(share * step.size)) {
    return study.diagnostics().Error(
        place, {},
        fmt::format("{} is {} here, so there is no size or no room for its steps; give it another value by "
                    "set=",
                    item->path, step.value));
  }
  steps.push_back(step);
  study.setup().items.push_back(*std::move(item));
}

py::dict Slopes(const std::shared_ptr<SystemHandle>& system, const Texts& to,
                const std::vector<std::pair<std::string, std::string>>& of, const std::string& method,
                double share, unsigned jobs) {
  Study study(system, {}, jobs, py::none());
  std::vector<SensitivityStep> steps;
  for (const std::string& path : to) AddParameter(study, path, share, steps);
  study.AddMeasures(of);
  const Texts units = study.UnitsOfMeasures({.objectives = 0, .signs = {}});
  const Registry& models = *system->source().models;
  VariationalResult variational;
  RunDifferences differences;
  study.Run([&] {
    if (method != "differences") variational = RunVariation(study.setup(), steps, models, study.stop());
    const bool is_good = variational.obstacle.empty() && variational.doubt.empty();
    if (method == "variational" || (method == "auto" && is_good)) return;
    differences =
        DifferRuns(study.setup(), steps, share, study.jobs(), models, study.stop(), [](std::uint64_t) {});
    if (!differences.fault.empty()) throw std::runtime_error(differences.fault);
  });
  if (method == "variational" && !variational.obstacle.empty()) {
    throw std::runtime_error("the variational equations do not describe this run: " + variational.obstacle +
                             "; leave out method");
  }
  const SensitivityTable& table = differences.is_complete ? differences.table : variational.table;
  std::vector<double> values;
  Texts parameter_units;
  for (const SensitivityStep& step : steps) values.push_back(step.value);
  for (const VariedItem& item : study.setup().items) parameter_units.push_back(item.unit);
  std::vector<std::vector<double>> normalized;
  for (std::size_t m = 0; m < of.size(); ++m) {
    normalized.emplace_back();
    for (std::size_t k = 0; k < steps.size(); ++k)
      normalized.back().push_back(NormalizedSlope(table.slopes[m][k], steps[k].value, table.measures[m]));
  }
  py::dict found;
  found["values"] = ArrayOf(table.measures);
  found["units"] = units;
  found["parameter_values"] = ArrayOf(values);
  found["parameter_units"] = parameter_units;
  found["slopes"] = TableOf(table.slopes, steps.size());
  found["normalized"] = TableOf(normalized, steps.size());
  found["errors"] = TableOf(table.errors, steps.size());
  found["method"] = differences.is_complete ? "differences" : "variational";
  found["reason"] = variational.obstacle.empty() ? variational.doubt : variational.obstacle;
  return found;
}

py::dict Indices(const std::shared_ptr<SystemHandle>& system, const Texts& to,
                 const std::vector<std::pair<std::string, std::string>>& of, std::size_t samples,
                 std::uint64_t seed, unsigned jobs) {
  Study study(system, {}, jobs, py::none());
  const std::vector<RandomVariation> variations =
      ReadRandomVariations(study.tree(), study.TextsOf("to", to), study.diagnostics());
  for (const RandomVariation& variation : variations) study.setup().items.push_back(variation.item);
  study.AddMeasures(of);
  const Texts units = study.UnitsOfMeasures({.objectives = 0, .signs = {}});
  const std::size_t inputs = variations.size();
  if (2 * inputs > kMostDimensions)
    RaiseInputError(fmt::format("to: give at most {} parameters", kMostDimensions / 2));
  const std::vector<std::vector<double>> points = SobolDesign(samples, inputs, seed);
  const auto value_of = [](const RandomVariation& variation, double p) -> CaseValue {
    if (variation.values.empty()) return {.number = variation.distribution.Quantile(p)};
    return variation.values[static_cast<std::size_t>(p * static_cast<double>(variation.values.size()))];
  };
  std::vector<std::uint64_t> numbers(points.size());
  for (std::uint64_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  std::vector<std::vector<double>> values(of.size(), std::vector<double>(points.size(), std::nan("")));
  std::string message;
  study.RunPool([&](CasePool& pool) {
    pool.Run(
        numbers,
        [&](std::uint64_t number) {
          std::vector<CaseValue> of_case;
          for (std::size_t i = 0; i < inputs; ++i)
            of_case.push_back(value_of(variations[i], points[number][i]));
          return of_case;
        },
        [&](std::uint64_t number, std::span<const CaseValue> /*values*/, const CaseResult& result) {
          for (std::size_t m = 0; m < values.size(); ++m) values[m][number] = result.measures[m];
          if (message.empty()) message = result.message;
        },
        study.stop());
  });
  std::vector<std::vector<double>> first, total, first_error, total_error;
  std::vector<double> mean, deviation;
  for (const std::vector<double>& one : values) {
    const SobolIndices indices = ComputeSobolIndices(one, inputs);
    if (indices.used == 0)
      throw std::runtime_error("no sample has a value for each of its cases: " + message);
    first.push_back(indices.first);
    total.push_back(indices.total);
    first_error.push_back(indices.first_error);
    total_error.push_back(indices.total_error);
    mean.push_back(indices.mean);
    deviation.push_back(std::sqrt(indices.variance));
  }
  py::dict found;
  found["units"] = units;
  found["mean"] = ArrayOf(mean);
  found["deviation"] = ArrayOf(deviation);
  found["first"] = TableOf(first, inputs);
  found["first_error"] = TableOf(first_error, inputs);
  found["total"] = TableOf(total, inputs);
  found["total_error"] = TableOf(total_error, inputs);
  found["cases"] = points.size();
  return found;
}

py::dict ElementDict(const StudyElement& element) {
  py::dict dict;
  dict["name"] = element.name;
  dict["file"] = element.place.file == nullptr ? std::string() : *element.place.file;
  dict["line"] = element.place.line;
  dict["attributes"] =
      std::map<std::string, std::string>(element.attributes.begin(), element.attributes.end());
  py::list children;
  for (const StudyElement& child : element.children) children.append(ElementDict(child));
  dict["children"] = children;
  return dict;
}

py::list LoadStudies(const std::string& file) {
  Diagnostics diagnostics;
  const std::vector<StudyElement> elements = LoadStudyFile(file, diagnostics);
  RaiseIfFaulty(diagnostics);
  py::list studies;
  for (const StudyElement& element : elements) studies.append(ElementDict(element));
  return studies;
}

}  // namespace

void BindStudies(py::module_& module) {
  module.def("sweep", &Sweep);
  module.def("optimize", &OptimizeSystem);
  module.def("fit", &FitSystem);
  module.def("sensitivity", &Slopes);
  module.def("sobol", &Indices);
  module.def("load_studies", &LoadStudies);
}

}  // namespace davit
