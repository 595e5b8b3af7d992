#include "analysis/studies/optimization_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>

#include "analysis/study/case_pool.h"
#include "analysis/study/constraint.h"
#include "analysis/study/population_search.h"
#include "analysis/study/search_plot.h"
#include "analysis/study/study_text.h"
#include "results/csv_text.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The table of the cases of the Pareto front.
fs::path FrontTableOf(fs::path output) { return output.replace_extension("") += "_front.csv"; }

StudyOption GoalOption(std::string name, std::string element, bool is_maximum, std::string text) {
  StudyOption row{.name = std::move(name),
                  .text = std::move(text),
                  .element = std::move(element),
                  .pattern = "expr",
                  .is_repeated = true};
  row.store = [is_maximum](StudyOptions& options, const StudyValue& value) {
    static_cast<OptimizationOptions&>(options).goals.push_back(
        {value.given.text, is_maximum, value.given.place});
  };
  return row;
}

}  // namespace

const StudyKind& OptimizationStudy::Kind() {
  using O = OptimizationOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{
        kOptimizeName, {}, []() -> std::unique_ptr<Study> { return std::make_unique<OptimizationStudy>(); }};
    kind.options = {Row<O>(
        &O::vary, {.name = "vary",
                   .text = "Quantity to search and its bounds: LOW:HIGH, or 'LOW:HIGH log' for its "
                           "logarithm; whole numbers take all values between the bounds; a list to choose "
                           "one value from, with names for levels and options; may be given several times",
                   .element = "Vary",
                   .pattern = "path=values"})};
    std::ranges::copy(SharedStudyOptions(), std::back_inserter(kind.options));
    std::ranges::copy(
        std::vector<StudyOption>{
            GoalOption("minimize", "Minimize", false,
                       "An expression of measures (see davit sweep); several give the Pareto front"),
            GoalOption("maximize", "Maximize", true, "An expression of measures to maximise"),
            Row<O>(&O::constraints,
                   {.name = "subject_to",
                    .text = "A constraint, 'EXPR <= VALUE' or 'EXPR >= VALUE'; may be given several times",
                    .element = "SubjectTo",
                    .pattern = "constraint"}),
            Row<O>(
                &O::method,
                {.name = "method",
                 .text = "auto, one start point: nelder-mead, bobyqa, cobyla, slsqp; populations: de, cmaes, "
                         "nsga2 (several objectives)",
                 .choices = {kOptimizationMethods.begin(), kOptimizationMethods.end()}}),
            Row<O>(&O::budget, {.name = "budget",
                                .text = "Maximum number of cases",
                                .form = "N",
                                .range = {1, 100'000'000}}),
            Row<O>(&O::tolerance,
                   {.name = "tolerance",
                    .text = "Ends when steps are smaller, as a fraction of the range between the bounds",
                    .form = "X",
                    .range = {1e-12, 0.5}}),
            Row<O>(&O::seed,
                   {.name = "seed", .text = "Random seed of populations", .form = "S", .range = kSeedRange}),
            MeasureStudyOption(),
            Row<O>(&O::output, {.name = "output",
                                .text = "Table of all cases (.csv)",
                                .form = "FILE",
                                .letter = 'o',
                                .usual_file = ".csv"}),
            Row<O>(&O::plot, {.name = "plot",
                              .text = "Draws the cases and the best so far, or the Pareto front of two "
                                      "objectives (.svg or .png)",
                              .form = "FILE"}),
            Row<O>(&O::start_from,
                   {.name = "start_from", .text = "Starts at the best case of a table", .form = "TABLE"}),
            Row<O>(&O::is_resumed, {.name = "resume",
                                    .text = "Continues the search whose cases are in the table",
                                    .is_in_files = false})},
        std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void OptimizationStudy::CheckOptions() {
  result_.variables = ReadBoundedVariations(tree(), options.vary, diagnostics());
  for (const BoundedVariation& variable : result_.variables) setup_.items.push_back(variable.item);
  if (options.vary.empty())
    Fail("nothing is varied; give for example " + Spell("vary", "controller.gain=1:100 log"));
  if (options.goals.empty() && options.judged.empty())
    Fail("nothing is minimised; give for example " + Spell("minimize", "rms(error.y)"));
  ReadMeasures();
  ReadGoals();
  const MeasureSet measures(*simulation_, setup_.measures, diagnostics());
  CheckConstraints(result_.layout, setup_.measures, measures, diagnostics());
  result_.columns = StudyColumns(setup_.items, setup_.measures, measures.units(), options.judged);
  CheckFiles();
  if (diagnostics().has_errors()) return;
  if (const Fault fault = FaultOfMethod(options.method, result_.variables, result_.layout))
    diagnostics().Error(PlaceOf("method", ""), {}, fault);
  if (options.is_resumed && !serves_others())
    rows_ = ReadOldRows(*options.output, StudyHead(result_.columns), "search");
  if (options.start_from) ReadStart();
}

void OptimizationStudy::ReadGoals() {
  Objective::Layout& layout = result_.layout;
  layout.first_objective = setup_.measures.size();
  layout.objectives = options.goals.empty() ? options.judged.size() : options.goals.size();
  layout.signs.clear();
  for (const OptimizationOptions::Goal& goal : options.goals) {
    const std::string number = options.goals.size() > 1 ? std::to_string(layout.signs.size() + 1) : "";
    setup_.measures.push_back({"objective" + number, goal.text, goal.place});
    layout.signs.push_back(goal.is_maximum ? -1 : 1);
  }
  for (const VariationText& constraint : options.constraints)
    AddConstraint(constraint.text, constraint.place, setup_.measures, layout, diagnostics());
  if (!options.goals.empty()) return;
  layout.first_objective = setup_.measures.size();
  for (const bool is_maximum : options.maximizes_judged) layout.signs.push_back(is_maximum ? -1 : 1);
}

void OptimizationStudy::CheckFiles() {
  if (options.output) {
    AddTable("output", *options.output);
    if (result_.layout.objectives > 1)
      AddOutput("output", *options.output, FrontTableOf(*options.output), true);
  } else if (options.is_resumed) {
    diagnostics().Error(PlaceOf("resume", ""), {},
                        "there is no table to continue; name it with " + Spell("output"));
  }
  if (options.plot) AddPicture("plot", *options.plot);
  CheckOutputs(options.start_from ? std::vector{*options.start_from} : std::vector<fs::path>{});
}

/// The values and the result of a row.
std::pair<std::vector<CaseValue>, CaseResult> OptimizationStudy::ReadRow(const std::string& row) const {
  const std::vector<std::string> cells = SplitCsvLine(row);
  std::vector<CaseValue> values(result_.variables.size());
  CaseResult result;
  const auto number = [&](std::size_t column) {
    double value = std::numeric_limits<double>::quiet_NaN();
    ParseLeadingNumber(cells[column], value);
    return value;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<std::size_t> choice = result_.variables[i].FindChoice(cells[1 + i]);
    values[i] = choice ? result_.variables[i].choices[*choice] : CaseValue{.number = number(1 + i)};
  }
  for (std::size_t i = 1 + values.size(); i + 3 < cells.size(); ++i) result.measures.push_back(number(i));
  result.is_done = cells[cells.size() - 3] == "done";
  return {std::move(values), std::move(result)};
}

/// The best case of another table that has the same columns of variables.
void OptimizationStudy::ReadStart() {
  const StudyRows table = LoadStudyRows(*options.start_from, Spell("resume"), diagnostics());
  const auto name = std::make_shared<const std::string>(options.start_from->string());
  std::vector<BoundedVariation>& variables = result_.variables;
  std::vector<std::size_t> places;
  for (const BoundedVariation& variable : variables) {
    const auto column = std::ranges::find(table.columns, variable.item.path);
    if (column == table.columns.end()) {
      return diagnostics().Error(
          {name, 1}, {},
          fmt::format("it has no column {}; start from a table that varies the same", variable.item.path));
    }
    places.push_back(static_cast<std::size_t>(column - table.columns.begin()));
  }
  const Objective::Layout& layout = result_.layout;
  const std::string& objective_name = result_.columns[1 + variables.size() + layout.first_objective].name;
  const auto objective = std::ranges::find(table.columns, objective_name);
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [number, row] : table.rows) {
    const std::vector<std::string> cells = SplitCsvLine(row);
    double value = 0;  // without the column: the first case
    if (objective != table.columns.end()) {
      const std::string& cell = cells[static_cast<std::size_t>(objective - table.columns.begin())];
      if (ParseLeadingNumber(cell, value) == 0) continue;
      value *= layout.signs.front();
    }
    if (!(value < best) || cells[cells.size() - 3] != "done") continue;
    best = value;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string& cell = cells[places[i]];
      if (variables[i].choices.empty()) {
        ParseLeadingNumber(cell, variables[i].start);
      } else if (const std::optional<std::size_t> choice = variables[i].FindChoice(cell)) {
        variables[i].start = static_cast<double>(*choice);
      }
    }
  }
  if (!std::isfinite(best))
    diagnostics().Error({name, 0}, {}, "no case of it is done; start from another table");
}

void OptimizationStudy::Execute(const StudyCalls& calls) {
  StudyTable table(options.output.value_or(fs::path()), result_.columns, rows_, std::vector<std::uint64_t>{});
  has_run_ = !rows_.empty();
  CasePool pool(setup_, registry(), workers(), std::move(simulation_));
  const Objective* found = nullptr;
  Objective objective(
      pool, result_.variables, result_.layout, options.budget,
      [&](std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
        table.Add(number, StudyRow(number, values, setup_.items, result));
        has_run_ = true;
        const Evaluation* const best = found->best();
        calls.Show(number, options.budget,
                   best == nullptr ? std::string()
                                   : fmt::format("{} cases, best {:.6g}", number,
                                                 result_.layout.signs[0] * best->objectives[0]));
      },
      calls.stop);
  found = &objective;
  for (const auto& [number, row] : rows_) {
    auto [values, result] = ReadRow(row);
    objective.Know(number, values, std::move(result));
  }
  result_.outcome =
      Optimize(objective, options.method, objective.StartPoint(), options.tolerance, options.seed);
  table.Finish();
  TakeResult(objective, table);
  has_result_ = true;
  if (options.plot) Draw(objective);
  if (options.output && !result_.front.empty()) WriteFront();
}

void OptimizationStudy::TakeResult(const Objective& objective, const StudyTable& table) {
  result_.rows = table.rows();
  result_.cases = objective.count();
  if (!result_.outcome.has_value) return;
  if (result_.layout.objectives > 1) {
    for (const Evaluation& one : FrontOf(objective.all())) result_.front.push_back(one.number);
    return;
  }
  result_.best = *objective.best();
  result_.values = objective.ToValues(result_.best.u);
  result_.bounds = FindBounds(result_.best);
  result_.objective = result_.layout.signs[0] * result_.best.objectives[0];
}

void OptimizationStudy::WriteFront() {
  std::string text = StudyHead(result_.columns) + '\n';
  for (const std::uint64_t number : result_.front) text += result_.rows.at(number) + '\n';
  const fs::path file = FrontTableOf(*options.output);
  WriteText(file, text);
  result_.front_table = file;
}

void OptimizationStudy::Draw(const Objective& objective) {
  const Objective::Layout& layout = result_.layout;
  std::vector<ShownObjective> shown;
  shown.reserve(layout.objectives);
  for (std::size_t i = 0; i < layout.objectives; ++i)
    shown.push_back({options.goals.empty() ? options.judged[i] : options.goals[i].text,
                     result_.UnitOf(layout.first_objective + i), layout.signs[i]});
  const std::string script =
      MakeSearchPlot(objective.all(), shown, TitleOfPictures(), FormatOf(*options.plot));
  if (!script.empty()) return WritePicture(*options.plot, script);
  warnings_.push_back(options.plot->string() + ": warning: not written: no case has a value");
}

StudyFacts OptimizationStudy::Facts() const {
  std::vector<std::string> paths;
  paths.reserve(result_.variables.size());
  for (const BoundedVariation& variable : result_.variables) paths.push_back(variable.item.path);
  const bool has_best = result_.outcome.has_value && result_.layout.objectives == 1;
  return {{"table", StudyTableFacts{result_.columns, ValuesOfRows(result_.columns, result_.rows)}},
          {"paths", paths},
          {"values", result_.values},
          {"bounds", result_.bounds},
          {"front", has_best ? std::vector{result_.best.number} : result_.front},
          {"objective", result_.objective},
          {"is_converged", result_.outcome.is_converged()},
          {"is_feasible", result_.outcome.is_feasible}};
}

}  // namespace davit
