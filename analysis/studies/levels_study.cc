#include "analysis/studies/levels_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "analysis/levels/level_pictures.h"
#include "analysis/levels/level_text.h"
#include "analysis/study/study_text.h"
#include "framework/units/quantity.h"
#include "framework/xml/xml_file.h"
#include "results/csv_text.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// How many windows a run has at least, where nothing else divides it.
constexpr double kUsualWindows = 40;
/// Windows that phases may cut off, as a share of the usual ones.
constexpr double kShortestWindow = 0.1;
/// How long a probe runs on after its window, as a share of the window.
constexpr double kRest = 0.1;
/// A lowest level whose error is below this share of the tolerance makes those between it and the highest not
/// worth a probe.
constexpr double kNoError = 0.002;
/// How much of a tolerance a change of a schedule that has run may use: only the change is predicted.
constexpr double kVerifiedSafety = 0.95;
/// Fixed levels that are predicted beyond this share of a tolerance are not run.
constexpr double kHopeless = 10;
/// A schedule that costs more than this much of the best one is given up.
constexpr double kPromising = 1.15;
/// How much of the budget may be spent until a first schedule is within the tolerances.
constexpr double kOverdraft = 3;
/// Levels that are the same everywhere may exceed the tolerances this much to begin with.
constexpr double kNear = 30;

/// Whether the first of two runs is the better one: within the tolerances, cheaper, nearer to them.
bool IsBetter(const LevelPoint& a, const LevelPoint& b) {
  if (a.is_good() != b.is_good()) return a.is_good();
  if (!a.fault.empty() || !b.fault.empty()) return a.fault.empty() && !b.fault.empty();
  return a.is_good() ? a.cost.evaluations < b.cost.evaluations : a.share < b.share;
}

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
                 "'5 s, 20 s'; default: the phases of the charts of the system, and 40 parts of the run",
             .form = "TIMES"}),
        Row<O>(&O::norm, {.name = "norm",
                          .text = "Error of a curve: root mean square of the difference, or the largest one",
                          .choices = {"rms", "max"}}),
        Row<O>(&O::rounds, {.name = "rounds",
                            .text = "How often a schedule that has run is improved by probes around it",
                            .form = "N",
                            .range = {0, 20}}),
        Row<O>(&O::budget,
               {.name = "budget",
                .text = "What the study may cost, in runs of the reference; then the best schedule so "
                        "far is the result",
                .form = "N",
                .range = {1, 1e6}}),
        Row<O>(
            &O::outputs,
            {.name = "output",
             .text =
                 "FILE.xml: the system with the schedule as <At> lines; FILE.csv: all probes; may be given "
                 "several times",
             .form = "FILE",
             .letter = 'o'}),
        Row<O>(&O::plot, {.name = "plot",
                          .text = "Draws errors and levels over time, and cost over error (.svg or .png)",
                          .form = "FILE"})};
    std::ranges::copy(SharedStudyOptions(), std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void LevelsStudy::CheckOptions() {
  if (!options.simulation.load.level.empty())
    Fail(fmt::format("levels are what the study chooses; leave out {}", Spell("level")));
  if (options.measures.empty())
    Fail("nothing has to stay the same; give for example " + Spell("metric", "lift=load.x") + " and " +
         Spell("tolerance", "lift=1%"));
  result_.metrics = LevelMetrics::Read(options.measures, options.tolerances, tree().units(), diagnostics());
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
  MakeSetup();
}

void LevelsStudy::ReadWindows() {
  const double begin = simulation_->start_time(), end = simulation_->stop_time();
  windows_.longest = (end - begin) / kUsualWindows;
  windows_.shortest = kShortestWindow * windows_.longest;
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
    if (ending != ".xml" && ending != ".csv")
      FailFile("output", output, "unknown kind of file; name a .xml or .csv file");
  }
  if (options.plot) AddPicture("plot", *options.plot);
  CheckOutputs();
}

void LevelsStudy::MakeSetup() {
  highest_ = setup_;
  std::string text;
  if (setup_.text) {
    text = *setup_.text;
  } else {
    TextResult read = ReadTextFile(setup_.system);
    if (!read.fault.empty()) return Fail(read.fault);
    text = std::move(read.text);
  }
  highest_.text = TextAtHighestLevels(text, tree());
  if (highest_.text->empty())
    return Fail(
        "levels are chosen for system files (XML); convert this one first, as with davit hopsan convert");
  // Components of sub-systems that are files of their own; the highest wins, where there is one.
  for (const Level level : kBuiltInLevels)
    highest_.options.load.level.push_back(fmt::format("*={}", davit::ToText(level)));
}

LevelSchedule LevelsStudy::TopSchedule() const {
  LevelSchedule top;
  for (const LevelGroup& group : result_.groups)
    top.emplace_back(result_.ends.size(), group.levels.size() - 1);
  return top;
}

std::vector<double> LevelsStudy::CostsOf(const std::vector<LevelCost>& costs) const {
  std::vector<double> evaluations;
  evaluations.reserve(costs.size());
  for (const LevelCost& cost : costs) evaluations.push_back(static_cast<double>(cost.evaluations));
  return evaluations;
}

std::string LevelsStudy::FaultOfReference(const std::string& fault) const {
  std::string runs;
  for (const Level level : {Level::kStandard, Level::kIdeal}) {
    CaseSetup setup = setup_;
    setup.options.load.level = {fmt::format("*={}", davit::ToText(level))};
    LevelRunner runner(setup, registry(), {});
    if (runner.Run(WindowPlan{.ends = {runner.stop_time()}}, {}, {}).fault.empty())
      runs += fmt::format("{}{}", runs.empty() ? "" : " and ", davit::ToText(level));
  }
  return fmt::format(
      "the reference run, with all components at their highest level, fails: {}{}", fault,
      runs.empty() ? "; neither does it run with all at Standard or Ideal" : "; it runs with all at " + runs);
}

void LevelsStudy::RunReference(const StudyCalls& calls) {
  runner_ = std::make_unique<LevelRunner>(highest_, registry(), result_.groups);
  const double begin = runner_->start_time(), span = runner_->stop_time() - begin;
  reference_ = runner_->Run(
      windows_, [this](std::size_t group, std::size_t) { return result_.groups[group].levels.size() - 1; },
      calls.stop,
      [&](double t) {
        calls.Show(static_cast<std::uint64_t>(1000 * (t - begin) / span), 1000, "reference");
      });
  has_run_ = true;
  if (!reference_.fault.empty()) throw std::runtime_error(FaultOfReference(reference_.fault));
  if (reference_.is_stopped) return;
  metrics_ = LevelMetrics(result_.metrics, runner_->metrics(), options.norm);
  Diagnostics found;
  metrics_.SetReference(reference_.rows, found);
  if (found.has_errors()) throw std::runtime_error(found.all().front().message());
  result_.metrics.assign(metrics_.all().begin(), metrics_.all().end());
  result_.ends = reference_.ends;
  result_.starts = {begin};
  result_.starts.insert(result_.starts.end(), reference_.ends.begin(), reference_.ends.end() - 1);
  result_.reference = reference_.cost();
  result_.reference_costs = reference_.costs;
  has_result_ = true;
}

std::vector<double> LevelsStudy::DeviationOf(const ChannelRows& rows) const {
  std::vector<double> deviation(rows.values.size());
  std::ranges::transform(rows.values, reference_.rows.values, deviation.begin(), std::minus());
  return deviation;
}

LevelPoint LevelsStudy::RunSchedule(std::string name, const LevelSchedule& schedule, const StudyCalls& calls,
                                    LevelRun* run, std::uint64_t most_evaluations) {
  calls.Show(0, 0, name);
  LevelPoint point{.name = std::move(name), .schedule = schedule};
  LevelRun made = runner_->Run(
      WindowPlan{.ends = result_.ends, .most_evaluations = most_evaluations},
      [&](std::size_t group, std::size_t window) { return schedule[group][window]; }, calls.stop);
  point.cost = made.cost();
  point.costs = made.costs;
  point.switches = made.switches;
  point.fault = made.is_too_costly ? "costs more than another schedule" : made.fault;
  result_.spent += point.cost;
  if (made.rows.time.size() != reference_.rows.time.size() && point.fault.empty())
    point.fault = made.is_stopped ? "stopped" : "the run ends at another time";
  if (point.fault.empty()) {
    point.errors = metrics_.ErrorsOf(DeviationOf(made.rows));
    point.share = metrics_.ShareOf(point.errors);
  }
  if (run != nullptr) *run = std::move(made);
  return point;
}

/// Runs probes on all workers.
class LevelsStudy::Probes {
 public:
  struct Job {
    std::size_t group = 0, window = 0, rung = 0;
  };

  Probes(LevelsStudy& study, const LevelRun& around, const LevelSchedule& schedule)
      : study_(study), around_(around), schedule_(schedule) {}

  /// In the order of the jobs; those that were not run on request are left out.
  std::vector<std::pair<Job, LevelProbe>> Run(const std::vector<Job>& jobs, const StudyCalls& calls) {
    std::vector<LevelProbe> probes(jobs.size());
    std::atomic<std::size_t> next = 0, done = 0;
    const auto work = [&](LevelRunner& runner, bool shows) {
      for (std::size_t i = 0; (i = next++) < jobs.size();) {
        probes[i] = One(runner, jobs[i], calls.stop);
        ++done;
        if (shows) calls.Show(done, jobs.size(), fmt::format("{} of {} probes", done.load(), jobs.size()));
      }
    };
    const std::size_t others =
        std::min<std::size_t>(study_.workers(), std::max<std::size_t>(jobs.size(), 1)) - 1;
    std::vector<std::exception_ptr> faults(others);
    {
      std::vector<std::jthread> threads;
      threads.reserve(others);
      for (std::size_t i = 0; i < others; ++i) {
        threads.emplace_back([&, i] {
          try {
            LevelRunner runner(study_.highest_, study_.registry(), study_.result_.groups);
            work(runner, false);
          } catch (...) {
            faults[i] = std::current_exception();
          }
        });
      }
      work(*study_.runner_, true);
    }
    for (const std::exception_ptr& fault : faults) {
      if (fault) std::rethrow_exception(fault);
    }
    std::vector<std::pair<Job, LevelProbe>> results;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (!probes[i].is_stopped) results.emplace_back(jobs[i], std::move(probes[i]));
    }
    return results;
  }

  LevelEffect EffectOf(const Job& job, const LevelProbe& probe) const {
    const std::size_t first = job.window == 0 ? 0 : around_.rows_end[job.window - 1];
    LevelEffect effect{.group = job.group,
                       .window = job.window,
                       .rung = job.rung,
                       .saving = SavingOf(first, probe.rows),
                       .first_row = first,
                       .deviation = probe.rows.values,
                       .is_usable = probe.fault.empty()};
    const std::size_t n = study_.metrics_.channels();
    for (std::size_t i = 0; i < effect.deviation.size(); ++i)
      effect.deviation[i] -= around_.rows.values[first * n + i];
    return effect;
  }

 private:
  /// Evaluations, with those of the switches at both ends of the window.
  double SavingOf(std::size_t first, const ChannelRows& rows) const {
    if (rows.evaluations.empty()) return 0;
    const std::vector<std::uint64_t>& all = around_.rows.evaluations;
    const std::uint64_t before = first == 0 ? 0 : all[first - 1];
    return static_cast<double>(all[first + rows.evaluations.size() - 1] - before) -
           static_cast<double>(rows.evaluations.back());
  }
  LevelProbe One(LevelRunner& runner, const Job& job, const std::stop_token& stop) const {
    const LevelsResult& result = study_.result_;
    const std::size_t groups = result.groups.size();
    std::vector<std::size_t> in(groups), after(groups);
    const std::size_t follows = std::min(job.window + 1, result.ends.size() - 1);
    for (std::size_t g = 0; g < groups; ++g) {
      in[g] = g == job.group ? job.rung : schedule_[g][job.window];
      after[g] = schedule_[g][follows];
    }
    const double end = result.ends[job.window];
    const double rest = std::min(end + kRest * (end - result.starts[job.window]), result.ends.back());
    return runner.Probe(around_.snapshots[job.window], end, in, rest, after, stop);
  }

  LevelsStudy& study_;
  const LevelRun& around_;
  const LevelSchedule& schedule_;
};

std::vector<LevelEffect> LevelsStudy::FindEffects(const LevelRun& around, const LevelSchedule& schedule,
                                                  bool is_reference, const StudyCalls& calls) {
  Probes probes(*this, around, schedule);
  std::vector<LevelEffect> effects;
  const auto take = [&](const std::vector<Probes::Job>& jobs) {
    for (const auto& [job, probe] : probes.Run(jobs, calls)) {
      ++result_.probes;
      result_.spent += probe.cost;
      result_.spent += probe.rest;
      effects.push_back(probes.EffectOf(job, probe));
      if (is_reference) result_.costs.push_back(probe.cost);
    }
  };
  std::vector<Probes::Job> first, second;
  for (std::size_t w = 0; w < result_.ends.size(); ++w) {
    for (std::size_t g = 0; g < result_.groups.size(); ++g) {
      for (std::size_t rung = 0; rung < result_.groups[g].levels.size(); ++rung) {
        if (rung == schedule[g][w]) continue;
        (is_reference && rung > 0 ? second : first).push_back({g, w, rung});
      }
    }
  }
  take(first);
  if (is_reference) {
    std::erase_if(second, [&](const Probes::Job& job) {
      return std::ranges::any_of(effects, [&](const LevelEffect& effect) {
        if (effect.group != job.group || effect.window != job.window || !effect.is_usable) return false;
        LevelSum alone(metrics_, std::vector<double>(reference_.rows.values.size()));
        alone.Add(effect, 1);
        return effect.saving >= 0 && alone.Share() < kNoError;
      });
    });
    take(second);
  }
  return effects;
}

void LevelsStudy::RunFixed(const StudyCalls& calls) {
  for (const Level level : {Level::kIdeal, Level::kStandard}) {
    LevelSchedule schedule = TopSchedule();
    for (std::size_t g = 0; g < schedule.size(); ++g) {
      const auto& rungs = result_.groups[g].rungs;
      const auto rung = std::ranges::find(rungs, davit::ToText(level));
      if (rung != rungs.end()) std::ranges::fill(schedule[g], static_cast<std::size_t>(rung - rungs.begin()));
    }
    result_.fixed.push_back(
        RunSchedule("all " + std::string(davit::ToText(level)), schedule, calls, nullptr));
  }
  LevelPoint file{.name = "as the file has it"};
  LevelRunner runner(setup_, registry(), {});
  const LevelRun run = runner.Run(WindowPlan{.ends = result_.ends}, {}, calls.stop);
  file.cost = run.cost();
  file.fault = run.fault;
  file.switches = run.switches;
  if (file.fault.empty() && run.rows.time.size() != reference_.rows.time.size())
    file.fault = "the run ends at another time";
  if (file.fault.empty()) {
    file.errors = metrics_.ErrorsOf(DeviationOf(run.rows));
    file.share = metrics_.ShareOf(file.errors);
  }
  result_.spent += file.cost;
  result_.fixed.push_back(std::move(file));
}

std::vector<double> LevelsStudy::PredictedDeviation(const LevelBase& base,
                                                    const LevelSchedule& schedule) const {
  LevelSum sum(metrics_, base.deviation);
  for (const LevelEffect& effect : base.effects) {
    // What was not probed has no error worth it.
    const std::size_t rung = schedule[effect.group][effect.window];
    if (rung == base.schedule[effect.group][effect.window]) continue;
    if (effect.rung == rung && effect.is_usable) sum.Add(effect, 1);
  }
  return sum.deviation();
}

const LevelPoint& LevelsStudy::TrySchedule(const ChosenLevels& choice, const StudyCalls& calls, LevelRun* run,
                                           std::uint64_t most_evaluations) {
  LevelPoint point = RunSchedule(fmt::format("schedule {}", result_.tried.size() + 1), choice.schedule, calls,
                                 run, most_evaluations);
  point.predicted = metrics_.ShareOf(metrics_.ErrorsOf(choice.deviation));
  result_.tried.push_back(std::move(point));
  if (IsBetter(result_.tried.back(), result_.chosen())) result_.best = result_.tried.size() - 1;
  return result_.tried.back();
}

/// Half of what a detour over another rung for one TimeStep costs; the median of a few windows.
double LevelsStudy::FindSwitchCost(const LevelRun& around, const LevelSchedule& schedule,
                                   const StudyCalls& calls) {
  constexpr std::size_t kWindows = 7;
  std::vector<double> costs;
  for (std::size_t i = 0; i < kWindows && !calls.stop.stop_requested(); ++i) {
    const std::size_t w = i * result_.ends.size() / kWindows;
    const std::size_t g = i % result_.groups.size();
    std::vector<std::size_t> in(result_.groups.size()), after(result_.groups.size());
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = after[k] = schedule[k][w];
    in[g] = in[g] == 0 ? 1 : in[g] - 1;
    const LevelProbe probe = runner_->Probe(around.snapshots[w], result_.starts[w] + runner_->time_step(), in,
                                            result_.ends[w], after, calls.stop);
    result_.spent += probe.cost;
    result_.spent += probe.rest;
    if (!probe.fault.empty()) continue;
    costs.push_back((static_cast<double>(probe.cost.evaluations + probe.rest.evaluations) -
                     static_cast<double>(around.costs[w].evaluations)) /
                    2);
  }
  if (costs.empty()) return 0;
  std::ranges::sort(costs);
  return std::max(0.0, costs[costs.size() / 2]);
}

void LevelsStudy::DescendFixed(const LevelBase& reference, std::span<const std::size_t> rungs,
                               LevelPoint& point, LevelRun& run, const StudyCalls& calls) {
  std::set<LevelSchedule> known{point.schedule};
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    const LevelSchedule from = point.schedule;
    for (std::size_t g = 0; g < rungs.size(); ++g) {
      for (std::size_t rung = 0; rung < rungs[g]; ++rung) {
        ChosenLevels next{.schedule = from};
        std::ranges::fill(next.schedule[g], rung);
        if (!known.insert(next.schedule).second) continue;
        next.deviation = PredictedDeviation(reference, next.schedule);
        if (metrics_.ShareOf(metrics_.ErrorsOf(next.deviation)) > kHopeless) continue;
        if (IsToEnd(calls)) return;
        LevelRun made;
        const LevelPoint now = TrySchedule(next, calls, &made, MostEvaluations(point));
        if (!IsBetter(now, point)) continue;
        point = now;
        run = std::move(made);
        has_moved = true;
      }
    }
  }
}

/// What another schedule may cost before it is no better than what there is; 0: anything.
std::uint64_t LevelsStudy::MostEvaluations(const LevelPoint& point) const {
  std::uint64_t most = point.is_good() ? point.cost.evaluations : 0;
  if (!result_.tried.empty() && result_.chosen().is_good()) {
    const auto promising =
        static_cast<std::uint64_t>(kPromising * static_cast<double>(result_.chosen().cost.evaluations));
    most = most == 0 ? promising : std::min(most, promising);
  }
  return most;
}

bool LevelsStudy::IsToEnd(const StudyCalls& calls) const {
  const bool has_found = !result_.tried.empty() && result_.chosen().is_good();
  return calls.stop.stop_requested() || result_.Runs() >= (has_found ? 1 : kOverdraft) * options.budget;
}

void LevelsStudy::Improve(LevelBase base, LevelPoint point, LevelRun run, const StudyCalls& calls) {
  if (!point.fault.empty()) return;
  double safety = kVerifiedSafety;
  bool is_known = false;
  LevelRun other;
  for (std::uint64_t round = 0; round < options.rounds && run.fault.empty(); ++round) {
    if (IsToEnd(calls)) return;
    if (!is_known) {
      base.schedule = point.schedule;
      base.deviation = DeviationOf(run.rows);
      base.costs = CostsOf(run.costs);
      base.effects = FindEffects(run, base.schedule, false, calls);
      base.switch_cost = FindSwitchCost(run, base.schedule, calls);
    }
    if (calls.stop.stop_requested()) return;
    const ChosenLevels next = ChooseLevels(metrics_, base, safety, true);
    if (next.schedule == base.schedule) return;
    const LevelPoint now = TrySchedule(next, calls, &other, MostEvaluations(point));
    is_known = !IsBetter(now, point);
    if (is_known) {
      safety *= 0.8;
      continue;
    }
    point = now;
    std::swap(run, other);
  }
}

void LevelsStudy::Search(const StudyCalls& calls) {
  const LevelBase base{.schedule = TopSchedule(),
                       .deviation = std::vector<double>(reference_.rows.values.size()),
                       .costs = CostsOf(result_.reference_costs),
                       .effects = result_.effects,
                       .switch_cost = FindSwitchCost(reference_, TopSchedule(), calls)};
  std::vector<std::size_t> rungs;
  rungs.reserve(result_.groups.size());
  for (const LevelGroup& group : result_.groups) rungs.push_back(group.levels.size());
  // From below, where probes cost least: levels that are the same everywhere and not far off.
  const auto from_below = [&] {
    const LevelPoint* near = nullptr;
    for (const LevelPoint& one : result_.fixed) {
      if (one.schedule.empty() || !one.fault.empty() || one.share > kNear) continue;
      if (near == nullptr || IsBetter(one, *near)) near = &one;
    }
    if (near == nullptr) return;
    LevelRun from;
    const LevelPoint point =
        TrySchedule({.schedule = near->schedule, .deviation = base.deviation}, calls, &from);
    result_.tried.back().predicted.reset();
    Improve(base, point, std::move(from), calls);
  };
  const auto limit = [&] { return MostEvaluations({.fault = "none"}); };
  // From above: the knapsack of what the probes around the reference have found.
  LevelRun run, other;
  LevelPoint best = TrySchedule(ChooseLevels(metrics_, base, kLevelSafety, false), calls, &run);
  const bool is_below_done = !best.is_good();
  if (is_below_done) from_below();
  // Levels that stay: switches cost more than they save.
  const ChosenLevels constant = ChooseFixedLevels(metrics_, base, rungs, kVerifiedSafety);
  if (constant.schedule != base.schedule && !IsToEnd(calls)) {
    LevelPoint fixed = TrySchedule(constant, calls, &other);
    DescendFixed(base, rungs, fixed, other, calls);
    if (IsBetter(fixed, best)) {
      std::swap(fixed, best);
      std::swap(run, other);
    }
    Improve(base, best, std::move(run), calls);
    if (limit() == 0 || fixed.cost.evaluations <= limit()) Improve(base, fixed, std::move(other), calls);
  } else {
    Improve(base, best, std::move(run), calls);
  }
  if (!is_below_done && !IsToEnd(calls)) from_below();
  for (double least = kLevelSafety / 2; !result_.chosen().is_good() && least > 0.01; least /= 2) {
    if (calls.stop.stop_requested()) return;
    TrySchedule(ChooseLevels(metrics_, base, least, false), calls, nullptr);
  }
  for (const LevelPoint& one : result_.fixed) {
    if (one.schedule.empty() || !one.is_good() || !IsBetter(one, result_.chosen())) continue;
    result_.tried.push_back(one);
    result_.best = result_.tried.size() - 1;
  }
  if (!result_.chosen().is_good()) TakeReference();
}

void LevelsStudy::TakeReference() {
  result_.tried.push_back({.name = "reference",
                           .schedule = TopSchedule(),
                           .errors = std::vector<double>(result_.metrics.size()),
                           .cost = result_.reference,
                           .costs = result_.reference_costs});
  result_.best = result_.tried.size() - 1;
}

void LevelsStudy::Execute(const StudyCalls& calls) {
  RunReference(calls);
  if (!has_result_) return;
  result_.effects = FindEffects(reference_, TopSchedule(), true, calls);
  for (const LevelEffect& effect : result_.effects) {
    LevelSum alone(metrics_, std::vector<double>(reference_.rows.values.size()));
    if (effect.is_usable) alone.Add(effect, 1);
    result_.errors.push_back(metrics_.ErrorsOf(alone.deviation()));
  }
  if (!calls.stop.stop_requested()) RunFixed(calls);
  if (!calls.stop.stop_requested()) Search(calls);
  result_.is_complete = !calls.stop.stop_requested();
  if (result_.tried.empty()) TakeReference();
  Write();
}

std::string LevelsStudy::Table() const {
  std::string text = "group,level,begin [s],end [s],evaluations,saved,steps,wall [s]";
  for (const LevelMetric& metric : result_.metrics)
    text += fmt::format(",{}",
                        CsvCell(metric.unit.empty() ? metric.name : metric.name + " [" + metric.unit + "]"));
  text += '\n';
  for (std::size_t i = 0; i < result_.effects.size(); ++i) {
    const LevelEffect& effect = result_.effects[i];
    const LevelGroup& group = result_.groups[effect.group];
    text +=
        fmt::format("{},{},{:.9g},{:.9g},{},{:.0f},{},{:.4g}", CsvCell(group.name), group.rungs[effect.rung],
                    result_.starts[effect.window], result_.ends[effect.window], result_.costs[i].evaluations,
                    effect.saving, result_.costs[i].steps, result_.costs[i].wall_s);
    for (const double error : result_.errors[i])
      text += effect.is_usable ? fmt::format(",{:.6g}", error) : ",";
    text += '\n';
  }
  return text;
}

void LevelsStudy::Write() const {
  for (const fs::path& output : options.outputs) {
    if (output.extension() == ".csv") {
      WriteText(output, Table());
    } else {
      const LevelPoint& chosen = result_.chosen();
      const std::string comment = fmt::format(
          " Levels over time by davit levels: {:.4g} of the evaluations of all at their highest level, "
          "{:.3g} of the "
          "tolerance used. ",
          static_cast<double>(chosen.cost.evaluations) / static_cast<double>(result_.reference.evaluations),
          chosen.share);
      WriteText(output, TextWithSchedule(*highest_.text,
                                         ScheduleRows(result_.groups, chosen.schedule, result_.starts),
                                         comment, setup_.system.parent_path(), output.parent_path()));
    }
  }
  if (options.plot)
    WritePicture(*options.plot, MakeLevelPicture(result_, TitleOfPictures(), FormatOf(*options.plot)));
}

StudyFacts LevelsStudy::Facts() const {
  const LevelPoint& chosen = result_.chosen();
  std::vector<std::string> names, metrics, units;
  std::vector<double> tolerances;
  std::vector<std::vector<std::string>> levels;
  for (std::size_t g = 0; g < result_.groups.size(); ++g) {
    names.push_back(result_.groups[g].name);
    std::vector<std::string>& row = levels.emplace_back();
    for (const std::size_t rung : chosen.schedule[g]) row.push_back(result_.groups[g].rungs[rung]);
  }
  for (const LevelMetric& metric : result_.metrics) {
    metrics.push_back(metric.name);
    units.push_back(metric.unit);
    tolerances.push_back(metric.tolerance);
  }
  return {{"groups", names},
          {"starts", result_.starts},
          {"levels", levels},
          {"metrics", metrics},
          {"units", units},
          {"tolerances", tolerances},
          {"errors", chosen.errors},
          {"evaluations", chosen.cost.evaluations},
          {"reference_evaluations", result_.reference.evaluations},
          {"switches", chosen.switches},
          {"probes", result_.probes},
          {"runs", result_.Runs()},
          {"is_within", chosen.is_good()}};
}

}  // namespace davit
