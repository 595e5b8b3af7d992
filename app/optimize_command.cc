#include "app/optimize_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <utility>

#include "analysis/study/case_pool.h"
#include "analysis/study/constraint.h"
#include "analysis/study/population_search.h"
#include "analysis/study/search_plot.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_table.h"
#include "analysis/study/study_text.h"
#include "app/exit_code.h"
#include "framework/xml/schedule_reader.h"
#include "results/csv_text.h"
#include "results/gnuplot_process.h"
#include "results/output_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The table of the cases of the Pareto front.
fs::path FrontTableOf(fs::path output) { return output.replace_extension("") += "_front.csv"; }

/// One `davit optimize`. Call sequence: Check, then Execute where it gives true.
class OptimizeCommand {
 public:
  OptimizeCommand(const OptimizeOptions& options, std::ostream& out, std::ostream& err)
      : options_(options), out_(out), err_(err), setup_(MakeCaseSetup(options.study)) {}

  int Run(const Registry& registry) {
    simulation_ = LoadStudySystem(options_.study, registry, err_);
    if (simulation_ == nullptr) return kWrongInput;
    Check();
    return ExecuteStudy(
        diagnostics_, err_, [&] { return Execute(registry); },
        [&] { return table_ != nullptr && !table_->rows().empty(); });
  }

 private:
  void Check() {
    variables_ = ReadBoundedVariations(simulation_->system(), options_.study.vary, diagnostics_);
    for (const BoundedVariation& variable : variables_) setup_.items.push_back(variable.item);
    if (options_.study.vary.empty())
      diagnostics_.Error({}, {}, "nothing is varied; give for example --vary 'controller.gain=1:100 log'");
    if (options_.goals.empty())
      diagnostics_.Error({}, {}, "nothing is minimised; give for example --minimize 'rms(error.y)'");
    setup_.measures = ReadMeasureOptions(options_.study.measures, diagnostics_);
    layout_.first_objective = setup_.measures.size();
    layout_.objectives = options_.goals.size();
    layout_.signs.clear();
    for (const OptimizeOptions::Goal& goal : options_.goals) {
      const std::string number = options_.goals.size() > 1 ? std::to_string(layout_.signs.size() + 1) : "";
      setup_.measures.push_back({"objective" + number, goal.text, goal.place});
      layout_.signs.push_back(goal.is_maximum ? -1 : 1);
    }
    for (const VariationText& constraint : options_.constraints)
      AddConstraint(constraint.text, constraint.place, setup_.measures, layout_, diagnostics_);
    const MeasureSet measures(*simulation_, setup_.measures, diagnostics_);
    CheckConstraints(layout_, setup_.measures, measures, diagnostics_);
    columns_ = StudyColumns(setup_.items, setup_.measures, measures.units());
    CheckFiles();
    if (diagnostics_.has_errors()) return;
    if (options_.is_resumed && !ServesOthers(setup_)) ReadOldRows();
    if (options_.start_from) ReadStart();
  }

  void CheckFiles() {
    std::vector<OutputPath> outputs;
    if (options_.output) {
      outputs.push_back({"-o " + options_.output->string(), *options_.output});
      if (options_.goals.size() > 1)
        outputs.push_back({"-o " + options_.output->string(), FrontTableOf(*options_.output), true});
      if (options_.output->extension() != ".csv")
        diagnostics_.Error(OptionPlace("-o", options_.output->string()), {},
                           "a table of cases is a .csv file");
    } else if (options_.is_resumed) {
      diagnostics_.Error(OptionPlace("--resume", ""), {}, "there is no table to continue; name it with -o");
    }
    if (options_.plot) {
      outputs.push_back({"--plot " + options_.plot->string(), *options_.plot});
      if (options_.plot->extension() != ".svg" && options_.plot->extension() != ".png")
        diagnostics_.Error(OptionPlace("--plot", options_.plot->string()), {},
                           "a picture is a .svg or .png file");
    }
    CheckOutputPaths(
        outputs,
        StudyInputs(options_.study, *simulation_,
                    options_.start_from ? std::vector{*options_.start_from} : std::vector<fs::path>{}),
        diagnostics_);
  }

  void ReadOldRows() {
    std::error_code ignored;
    if (!fs::is_regular_file(*options_.output, ignored)) return;
    StudyRows old = LoadStudyRows(*options_.output, diagnostics_);
    const auto name = std::make_shared<const std::string>(options_.output->string());
    if (!old.head.empty() && old.head != StudyHead(columns_)) {
      diagnostics_.Error(
          {name, 1}, {},
          "this is the table of another search: its columns differ; name another file, or leave out "
          "--resume to replace it");
      return;
    }
    rows_ = std::move(old.rows);
  }

  /// The values and the result of a row.
  std::pair<std::vector<CaseValue>, CaseResult> ReadRow(const std::string& row) const {
    const std::vector<std::string> cells = SplitCsvLine(row);
    std::vector<CaseValue> values(variables_.size());
    CaseResult result;
    const auto number = [&](std::size_t column) {
      double value = std::numeric_limits<double>::quiet_NaN();
      ParseLeadingNumber(cells[column], value);
      return value;
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<std::size_t> choice = variables_[i].FindChoice(cells[1 + i]);
      values[i] = choice ? variables_[i].choices[*choice] : CaseValue{.number = number(1 + i)};
    }
    for (std::size_t i = 0; i < setup_.measures.size(); ++i)
      result.measures.push_back(number(1 + values.size() + i));
    result.is_done = cells[cells.size() - 3] == "done";
    return {std::move(values), std::move(result)};
  }

  /// The best case of another table that has the same columns of variables.
  void ReadStart() {
    const StudyRows table = LoadStudyRows(*options_.start_from, diagnostics_);
    const auto name = std::make_shared<const std::string>(options_.start_from->string());
    std::vector<std::size_t> places;
    for (const BoundedVariation& variable : variables_) {
      const auto column = std::ranges::find(table.columns, variable.item.path);
      if (column == table.columns.end()) {
        diagnostics_.Error(
            {name, 1}, {},
            fmt::format("it has no column {}; start from a table that varies the same", variable.item.path));
        return;
      }
      places.push_back(static_cast<std::size_t>(column - table.columns.begin()));
    }
    const auto objective = std::ranges::find(table.columns, setup_.measures[layout_.first_objective].name);
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [number, row] : table.rows) {
      const std::vector<std::string> cells = SplitCsvLine(row);
      double value = 0;  // without the column: the first case
      if (objective != table.columns.end()) {
        const std::string& cell = cells[static_cast<std::size_t>(objective - table.columns.begin())];
        if (ParseLeadingNumber(cell, value) == 0) continue;
        value *= layout_.signs.front();
      }
      if (!(value < best) || cells[cells.size() - 3] != "done") continue;
      best = value;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string& cell = cells[places[i]];
        if (variables_[i].choices.empty()) {
          ParseLeadingNumber(cell, variables_[i].start);
        } else if (const std::optional<std::size_t> choice = variables_[i].FindChoice(cell)) {
          variables_[i].start = static_cast<double>(*choice);
        }
      }
    }
    if (!std::isfinite(best))
      diagnostics_.Error({name, 0}, {}, "no case of it is done; start from another table");
  }

  int Execute(const Registry& registry) {
    if (ServesOthers(setup_)) {
      ServeCases(setup_, registry, std::move(simulation_));
      return kDone;
    }
    if (options_.output)
      table_ = std::make_unique<StudyTable>(*options_.output, columns_, rows_, std::vector<std::uint64_t>{});
    StudyWatch watch(err_, options_.study.is_quiet, options_.budget);
    CasePool pool(setup_, registry, WorkersOf(options_.study), std::move(simulation_));
    Objective objective(
        pool, variables_, layout_, options_.budget,
        [&](std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
          if (table_ != nullptr) table_->Add(number, StudyRow(number, values, setup_.items, result));
          const Evaluation* best = objective_ != nullptr ? objective_->best() : nullptr;
          watch.Show(number, best == nullptr ? std::string()
                                             : fmt::format("{} cases, best {:.6g}", number,
                                                           layout_.signs[0] * best->objectives[0]));
        },
        watch.stop());
    objective_ = &objective;
    for (const auto& [number, row] : rows_) {
      auto [values, result] = ReadRow(row);
      objective.Know(number, values, std::move(result));
    }
    if (const Fault fault = FaultOfMethod(options_.method, objective)) {
      err_ << "--method: error: " << fault.ToText() << '\n';
      return kWrongInput;
    }
    const SearchOutcome outcome =
        Optimize(objective, options_.method, objective.StartPoint(), options_.tolerance, options_.seed);
    watch.Clear();
    if (table_ != nullptr) table_->Finish();
    if (options_.plot) Draw();
    return layout_.objectives > 1 ? ReportFront(outcome) : ReportBest(outcome);
  }

  void Draw() {
    std::vector<ShownObjective> shown;
    shown.reserve(layout_.objectives);
    for (std::size_t i = 0; i < layout_.objectives; ++i)
      shown.push_back({options_.goals[i].text, UnitOf(layout_.first_objective + i), layout_.signs[i]});
    const PictureFormat format =
        options_.plot->extension() == ".png" ? PictureFormat::kPng : PictureFormat::kSvg;
    const std::string script =
        MakeSearchPlot(objective_->all(), shown, options_.study.system.stem().string(), format);
    if (script.empty()) {
      err_ << options_.plot->string() << ": warning: not written: no case has a value\n";
      return;
    }
    OutputFile file(*options_.plot);
    file.Write(RunGnuplot(script));
    file.Close();
  }

  void Line(std::string_view name, const std::string& value) {
    out_ << fmt::format("{:<24} {}\n", name, value);
  }
  static std::string WithUnit(double value, const std::string& unit) {
    return unit.empty() ? fmt::format("{:.9g}", value) : fmt::format("{:.9g} {}", value, unit);
  }
  void ReportStatus(const SearchOutcome& outcome) {
    Line("cases", std::to_string(objective_->count()));
    const bool is_stopped = outcome.end == SearchOutcome::End::kStopped;
    Line("status", outcome.ToText() + (is_stopped ? "; --resume continues" : ""));
  }

  int ReportBest(const SearchOutcome& outcome) {
    const Evaluation* const best = objective_->best();
    ReportStatus(outcome);
    if (!outcome.has_value) {
      err_ << "error: no case has given a value; the column message of the table says why\n";
      return kRunFailed;
    }
    const std::vector<CaseValue> values = objective_->ToValues(best->u);
    const std::vector<int> bounds = FindBounds(*best);
    Line(outcome.is_feasible ? "best case" : "nearest case", std::to_string(best->number));
    Line("objective", WithUnit(layout_.signs[0] * best->objectives[0], UnitOf(layout_.first_objective)));
    std::string set;
    for (std::size_t i = 0; i < values.size(); ++i) {
      Line(variables_[i].item.path, ValueText(i, values[i]));
      set += fmt::format(" --set {}={}", variables_[i].item.path, ToText(values[i], variables_[i].item));
    }
    for (std::size_t i = 0; i < layout_.constraints.size(); ++i) {
      constexpr double kActive = 1e-3;
      const double share = best->constraints[i];
      Line(options_.constraints[i].text,
           share > 1e-6 ? "exceeded by " + WithUnit(best->excess[i], UnitOf(layout_.constraints[i].left))
           : share > -kActive ? "active"
                              : "holds");
    }
    Line("davit run", set.empty() ? "" : set.substr(1));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (bounds[i] == 0) continue;
      err_ << fmt::format("warning: {} is at its {} bound, {}; the optimum may be beyond\n",
                          variables_[i].item.path, bounds[i] < 0 ? "lower" : "upper",
                          ValueText(i, values[i]));
    }
    if (outcome.is_feasible) return kDone;
    err_ << "error: no case holds all constraints; widen the bounds or the limits\n";
    return kRunFailed;
  }

  int ReportFront(const SearchOutcome& outcome) {
    const std::vector<Evaluation> front = FrontOf(objective_->all());
    ReportStatus(outcome);
    if (!outcome.has_value) {
      err_ << "error: no case has given a value; the column message of the table says why\n";
      return kRunFailed;
    }
    Line("front", fmt::format("{} cases", front.size()));
    if (front.empty()) {
      err_ << "error: no case holds all constraints; widen the bounds or the limits\n";
      return kRunFailed;
    }
    if (table_ == nullptr) return kDone;
    const fs::path file = FrontTableOf(*options_.output);
    std::string text = StudyHead(columns_) + '\n';
    for (const Evaluation& evaluation : front) text += table_->rows().at(evaluation.number) + '\n';
    OutputFile written(file);
    written.Write(text);
    written.Close();
    Line("written", file.string());
    return kDone;
  }

  std::string ValueText(std::size_t variable, const CaseValue& value) const {
    const VariedItem& item = variables_[variable].item;
    return item.is_number ? WithUnit(value.number, item.unit) : value.text;
  }
  const std::string& UnitOf(std::size_t measure) const {
    return columns_[1 + variables_.size() + measure].unit;
  }

  const OptimizeOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  CaseSetup setup_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<BoundedVariation> variables_;
  Objective::Layout layout_;
  std::vector<StudyColumn> columns_;
  std::map<std::uint64_t, std::string> rows_;  ///< of --resume
  std::unique_ptr<StudyTable> table_;
  const Objective* objective_ = nullptr;
};

}  // namespace

int RunOptimize(const OptimizeOptions& options, const Registry& registry, std::ostream& out,
                std::ostream& err) {
  return OptimizeCommand(options, out, err).Run(registry);
}

void AddOptimizeCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command =
      *program.add_subcommand("optimize", "Searches values of parameters for which a measure is smallest");
  const auto optimize = std::make_shared<OptimizeOptions>();
  AddStudyOptions(
      command, optimize->study,
      "What is searched, between two bounds: LOW:HIGH, or 'LOW:HIGH log' for the logarithm, of whole numbers "
      "all between them; or a list of which one value is chosen, of levels and options the names; may be "
      "given several times");
  const auto add_goal = [&](const char* name, bool is_maximum, const char* text) {
    command
        .add_option_function<std::vector<std::string>>(
            name,
            [optimize, name, is_maximum](const std::vector<std::string>& texts) {
              for (const std::string& goal : texts)
                optimize->goals.push_back({goal, is_maximum, OptionPlace(name, goal)});
            },
            text)
        ->type_name("EXPR")
        ->expected(1)
        ->take_all();
  };
  add_goal("--minimize", false,
           "An expression of measures (see davit sweep); several of them: the front between them (Pareto)");
  add_goal("--maximize", true, "The same, to be largest");
  AddTexts(command, "--subject-to", optimize->constraints,
           "A constraint, 'EXPR <= VALUE' or 'EXPR >= VALUE'; may be given several times")
      ->type_name("CONSTRAINT");
  command
      .add_option_function<std::string>(
          "--method",
          [optimize](const std::string& name) {
            const auto place = std::ranges::find(kOptimizationMethods, name);
            optimize->method = static_cast<OptimizationMethod>(place - kOptimizationMethods.begin());
          },
          "auto, one start point: nelder-mead, bobyqa, cobyla, slsqp; populations: de, cmaes, nsga2 (several "
          "objectives)")
      ->type_name("METHOD")
      ->check(
          CLI::IsMember(std::vector<std::string>(kOptimizationMethods.begin(), kOptimizationMethods.end())));
  command.add_option("--budget", optimize->budget, "Most cases")
      ->type_name("N")
      ->check(CLI::Range(1, 100'000'000));
  command
      .add_option("--tolerance", optimize->tolerance,
                  "Ends where steps are smaller, as a share of the way between the bounds")
      ->type_name("X")
      ->check(CLI::Range(1e-12, 0.5));
  command.add_option("--seed", optimize->seed, "Of populations")->type_name("S");
  AddMeasureOption(command, optimize->study);
  command.add_option("-o,--output", optimize->output, "Table of all cases (.csv)")->type_name("FILE");
  command
      .add_option("--plot", optimize->plot,
                  "Draws the cases and the best so far, or the front of two objectives (.svg or .png)")
      ->type_name("FILE");
  command.add_option("--start-from", optimize->start_from, "Starts at the best case of a table")
      ->type_name("TABLE");
  command.add_flag("--resume", optimize->is_resumed,
                   "Continues the search whose cases are in the table of -o");
  AddPluginOption(command, context);
  command.callback([&context, optimize] {
    optimize->study.ranks = context.ranks;
    const bool is_right = context.LoadPlugins(optimize->study.system);
    context.exit_code =
        is_right ? RunOptimize(*optimize, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
