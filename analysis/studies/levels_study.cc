#include "analysis/studies/levels_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/levels/level_chart_search.h"
#include "analysis/levels/level_pictures.h"
#include "analysis/levels/level_search.h"
#include "analysis/levels/level_text.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_text.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// How many windows a run has at least, by time and by evaluations.
constexpr double kUsualWindows = 40;
/// What charts usually cost, in runs of the reference.
constexpr double kChartRuns = 1;
/// Windows that phases may cut off, as a share of the usual ones.
constexpr double kShortestWindow = 0.1;
}  // namespace

const StudyKind& LevelsStudy::Kind() {
  using O = LevelsOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{
        kLevelsName, {}, []() -> std::unique_ptr<Study> { return std::make_unique<LevelsStudy>(); }};
    kind.options = {
        Row<O>(
            &O::measures,
            {.name = "metric",
             .text = "What has to stay the same: a curve (load.x), or a value that davit sweep can measure "
                     "(max(load.x)); may be given several times",
             .element = "Metric",
             .pattern = "name=expr"}),
        Row<O>(&O::tolerances,
               {.name = "tolerance",
                .text =
                    "How far a metric may move: a value, or percent of the range of the curve or of the size "
                    "of the value in the reference run",
                .element = "Tolerance",
                .pattern = "name=value"}),
        Row<O>(&O::groups,
               {.name = "group",
                .text = "Glob of components that change their level together; may be given several times",
                .element = "Group",
                .pattern = "path"}),
        Row<O>(
            &O::windows,
            {.name = "windows",
             .text =
                 "When levels may change: the length of a window, '2 s', or the times at which windows end, "
                 "'5 s, 20 s'; default: the phases of the charts of the system, and 40 parts of the run, "
                 "shorter where computing costs much",
             .form = "TIMES"}),
        Row<O>(&O::norm, {.name = "norm",
                          .text = "Error of a curve: root mean square of the difference, or the largest one",
                          .choices = {"rms", "max"}}),
        Row<O>(&O::rounds, {.name = "rounds",
                            .text = "Number of improvements of a schedule, each by probes around it",
                            .form = "N",
                            .range = {0, 20}}),
        Row<O>(&O::budget,
               {.name = "budget",
                .text = "Maximum cost of the study, in reference runs; the result is the best schedule found "
                        "by then",
                .form = "N",
                .range = {1, 1e6}}),
        Row<O>(&O::outputs,
               {.name = "output",
                .text =
                    "FILE.xml: the schedule, for davit run --schedule; FILE.scxml: a chart that chooses the "
                    "levels by "
                    "indicators, for davit run --level-chart; FILE.csv: all probes, a row as soon as one has "
                    "ended; may be given several times",
                .form = "FILE",
                .letter = 'o',
                .usual_file = ".csv"}),
        Row<O>(&O::plot, {.name = "plot",
                          .text = "Draws errors and levels over time, and cost over error (.svg or .png)",
                          .form = "FILE"})};
    std::ranges::copy(SharedStudyOptions(), std::back_inserter(kind.options));
    std::ranges::copy(DividedStudyOptions<O>(), std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void LevelsStudy::CheckOptions() {
  if (!options.simulation.load.level.empty())
    Fail(fmt::format("the study chooses the levels; leave out {}", Spell("level")));
  if (options.measures.empty())
    Fail("no metric is given; write for example " + Spell("metric", "lift=load.x") + " and " +
         Spell("tolerance", "lift=1%"));
  result_.metrics = LevelMetrics::Read(options.measures, options.tolerances, tree().units(), diagnostics());
  for (const LevelMetric& metric : result_.metrics) {
    if (LevelProbes::HasColumn(metric.name))
      diagnostics().Error(
          metric.place, {},
          fmt::format("the table of probes has a column {}; name the metric otherwise", Quoted(metric.name)));
  }
  std::vector<LevelGlob> globs;
  globs.reserve(options.groups.size());
  for (const VariationText& group : options.groups) globs.push_back({group.text, group.place});
  result_.groups = FindLevelGroups(tree(), globs, diagnostics());
  if (result_.groups.empty() && !diagnostics().has_errors())
    Fail("no component of this system has several levels; davit describe MODEL shows the levels of a model");
  setup_.measures = LevelMetrics::Definitions(result_.metrics);
  const MeasureSet measures(*simulation_, setup_.measures, diagnostics());
  LevelMetrics::CheckUnits(result_.metrics, measures, diagnostics());
  if (measures.counts_events())
    Fail("events() cannot be followed through windows; measure a signal that the events change");
  ReadWindows();
  CheckFiles();
  CheckTable();
  highest_ = setup_;
  highest_.options.load.levels.emplace();
}

void LevelsStudy::ReadWindows() {
  const double begin = simulation_->start_time(), end = simulation_->stop_time();
  windows_.longest = (end - begin) / kUsualWindows;
  windows_.shortest = kShortestWindow * windows_.longest;
  windows_.largest_share = 1 / kUsualWindows;
  if (!options.windows) return;
  const std::string& text = *options.windows;
  const auto fail = [&](const std::string& what) { diagnostics().Error(PlaceOf("windows", text), {}, what); };
  std::vector<double> times;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const QuantityResult read = ParseQuantity(TrimBlanks(text.substr(at, comma - at)), "s", tree().units());
    if (!read.value) return fail(read.fault.ToText());
    times.push_back(read.value->si);
    at = comma + 1;
  }
  const bool is_length = times.size() == 1 && text.find(',') == std::string::npos;
  if (is_length) {
    if (times[0] < simulation_->time_step())
      return fail("a window is shorter than a TimeStep; give a longer one");
    for (double t = begin + times[0]; t < end; t += times[0]) windows_.ends.push_back(t);
  } else {
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double before = i == 0 ? begin : times[i - 1];
      if (times[i] <= before)
        return fail(
            fmt::format("windows overlap: {:.9g} s is not after {:.9g} s; name the times in their order, "
                        "after StartTime",
                        times[i], before));
    }
    for (const double t : times) {
      if (t < end) windows_.ends.push_back(t);
    }
  }
  windows_.ends.push_back(end);
  constexpr std::size_t kMostWindows = 10'000;
  if (windows_.ends.size() > kMostWindows) fail("more than 10000 windows; give a longer one");
}

void LevelsStudy::CheckFiles() {
  for (const fs::path& output : options.outputs) {
    AddOutput("output", output, output);
    const std::string ending = output.extension().string();
    if (ending != ".xml" && ending != ".scxml" && ending != ".csv")
      FailFile("output", output, "unknown kind of file; name a .xml, .scxml or .csv file");
  }
  if (options.plot) AddPicture("plot", *options.plot);
  CheckOutputs();
}

/// Of the probes: continued, or of a shard.
void LevelsStudy::CheckTable() {
  for (const fs::path& output : options.outputs) {
    if (output.extension() != ".csv") continue;
    if (!table_.file.empty()) FailFile("output", output, "a second table of probes; leave one out");
    table_.file = output;
  }
  shard_ = ReadShard(options.shard);
  if (table_.file.empty() && (options.is_resumed || options.shard))
    diagnostics().Error(PlaceOf(options.is_resumed ? "resume" : "shard", ""), {},
                        "there is no table of probes; name it with " + Spell("output", "probes.csv"));
  if (options.shard && (options.outputs.size() > 1 || options.plot || options.summary))
    diagnostics().Error(PlaceOf("shard", *options.shard), {},
                        "a shard has probes only; leave out all files but their table");
  table_.resume = Spell("resume");
  if (!diagnostics().has_errors() && options.is_resumed && !serves_others())
    table_.rows = ReadOldRows(table_.file, LevelProbes::HeadOf(result_.metrics), "study");
}

/// Levels that a user might choose for the whole run.
void LevelsStudy::RunFixed(LevelTrial& trial) {
  for (const Level level : {Level::kIdeal, Level::kStandard}) {
    LevelSchedule schedule = trial.TopSchedule();
    for (std::size_t g = 0; g < schedule.size(); ++g) {
      const auto& rungs = result_.groups[g].rungs;
      const auto rung = std::ranges::find(rungs, davit::ToText(level));
      if (rung != rungs.end()) std::ranges::fill(schedule[g], static_cast<std::size_t>(rung - rungs.begin()));
    }
    result_.fixed.push_back(trial.Run("all " + std::string(davit::ToText(level)), schedule, nullptr));
  }
  result_.fixed.push_back(trial.RunAsGiven());
}

std::unique_ptr<CaseWorker> LevelsStudy::MakeWorker() {
  return std::make_unique<LevelProbeWorker>(highest_, registry(), result_.groups);
}

void LevelsStudy::Serve() {
  ServeCases(*shared().ranks, [this] { return MakeWorker(); });
}

void LevelsStudy::Execute(const StudyCalls& calls) {
  CasePool pool(
      workers(), [this] { return MakeWorker(); }, setup_.ranks);
  LevelProbes probes(pool, std::move(table_), calls, result_);
  LevelTrial trial(highest_, setup_, registry(), probes, calls, result_);
  has_run_ = true;
  if (!trial.RunReference(windows_, options.norm)) return;
  const LevelBase low = trial.BaseOfReference(shard_);
  const double estimate = trial.RunsAround(std::accumulate(low.costs.begin(), low.costs.end(), 0.0));
  const double excess = std::max(1.0, (result_.Runs() - 1) / estimate);
  const LevelBase reference = trial.AroundReference(low);
  result_.effects = reference.effects;
  result_.is_shard = shard_.count > 1;
  LevelSearch search(trial, result_, options.rounds, options.budget - (WantsChart() ? kChartRuns : 0),
                     excess);
  if (!result_.is_shard) {
    if (!trial.is_stopped()) RunFixed(trial);
    if (!trial.is_stopped()) search.Run(reference);
  }
  const bool is_whole = !result_.is_shard && !trial.is_stopped();
  probes.Finish(is_whole ? std::optional(trial.probes()) : std::nullopt);
  if (result_.tried.empty()) search.TakeReference();
  if (WantsChart() && !trial.is_stopped()) LevelChartSearch(trial, result_).Run(reference);
  result_.is_complete = !trial.is_stopped();
  has_result_ = true;
  Write();
}

bool LevelsStudy::WantsChart() const {
  return std::ranges::any_of(options.outputs,
                             [](const fs::path& file) { return file.extension() == ".scxml"; });
}

void LevelsStudy::Write() const {
  for (const fs::path& output : options.outputs) {
    const std::string ending = output.extension().string();
    if (ending == ".xml") {
      const LevelPoint& chosen = result_.chosen();
      const std::string comment = fmt::format(
          "Levels by davit levels: {:.4g} of the evaluations that all at their highest level need, {:.3g} "
          "of the tolerance used.",
          static_cast<double>(chosen.cost.evaluations) / static_cast<double>(result_.reference.evaluations),
          chosen.share);
      WriteText(output, ScheduleText(result_.groups, chosen.schedule, result_.starts, comment));
    } else if (ending == ".scxml" && !result_.charts.empty()) {
      WriteText(output, result_.chosen_chart().text);
    }
  }
  if (options.plot)
    WritePicture(*options.plot, MakeLevelPicture(result_, TitleOfPictures(), FormatOf(*options.plot)));
}

StudyFacts LevelsStudy::Facts() const {
  const LevelPoint& chosen = result_.chosen();
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> levels;
  for (std::size_t g = 0; g < result_.groups.size(); ++g) {
    names.push_back(result_.groups[g].name);
    std::vector<std::string>& row = levels.emplace_back();
    for (const std::size_t rung : chosen.schedule[g]) row.push_back(result_.groups[g].rungs[rung]);
  }
  const auto by_metric = [&](const std::vector<double>& errors) {
    NamedNumbers named;
    for (std::size_t m = 0; m < errors.size(); ++m) named.emplace_back(result_.metrics[m].name, errors[m]);
    return named;
  };
  StudyFacts facts{{"groups", names},
                   {"starts", result_.starts},
                   {"levels", levels},
                   {"metrics", MembersOf(result_.metrics, &LevelMetric::name)},
                   {"units", MembersOf(result_.metrics, &LevelMetric::unit)},
                   {"tolerance", by_metric(MembersOf(result_.metrics, &LevelMetric::tolerance))},
                   {"predicted_error", by_metric(chosen.predicted_errors)},
                   {"true_error", by_metric(chosen.errors)},
                   {"cost", chosen.cost.evaluations},
                   {"reference_cost", result_.reference.evaluations},
                   {"switches", chosen.switches},
                   {"probes", result_.probes},
                   {"runs", result_.Runs()},
                   {"is_within", chosen.is_good()},
                   {"status", std::string(!result_.is_complete ? "interrupted"
                                          : result_.is_shard   ? "shard"
                                                               : "done")}};
  if (result_.charts.empty()) return facts;
  const LevelChart& chart = result_.chosen_chart();
  facts.emplace_back("chart", chart.text);
  facts.emplace_back("chart_error", by_metric(chart.point.errors));
  facts.emplace_back("chart_cost", chart.point.cost.evaluations);
  facts.emplace_back("chart_switches", chart.point.switches);
  return facts;
}

}  // namespace davit
