#include "analysis/levels/level_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "analysis/study/study_text.h"
#include "results/csv_text.h"

namespace davit {
namespace {

/// What a probe measures before the values of its rows.
enum Measure : std::size_t { kEvaluations, kSteps, kAfter, kAll, kMeasures };

// The cells of a row before and after the metrics.
constexpr std::size_t kEvaluationsCell = 7, kStepsCell = 8, kAfterCell = 9, kSavedCell = 10;
constexpr std::size_t kDeviationFromEnd = 4, kStatusFromEnd = 3, kWallFromEnd = 1;

constexpr std::string_view kDone = "done", kFailed = "failed", kLeftOut = "left out";

std::vector<StudyColumn> ColumnsOf(std::span<const LevelMetric> metrics) {
  std::vector<StudyColumn> columns{{"case", ""},         {"around", "", false}, {"group", "", false},
                                   {"level", "", false}, {"others", "", false}, {"begin", "s"},
                                   {"end", "s"},         {"evaluations", ""},   {"steps", ""},
                                   {"after", ""},        {"saved", ""}};
  columns.reserve(columns.size() + metrics.size() + 4);
  for (const LevelMetric& metric : metrics) columns.push_back({metric.name, metric.unit});
  columns.push_back({"deviation", "", false});
  columns.push_back({"status", "", false});
  columns.push_back({"message", "", false});
  columns.push_back({"wall_s", "s"});
  return columns;
}

std::string OneLine(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

/// Whether a row says that its probe was not worth a run, as other tolerances had it.
bool IsLeftOut(const std::string& row) {
  const std::vector<std::string> cells = SplitCsvLine(row);
  return cells[cells.size() - kStatusFromEnd] == kLeftOut;
}

double NumberOf(std::string_view cell) {
  double number = 0;
  ParseLeadingNumber(cell, number);
  return number;
}

}  // namespace

CaseResult LevelProbeWorker::Run(std::uint64_t /*number*/, std::span<const CaseValue> values,
                                 const std::stop_token& stop) {
  if (runner_ == nullptr) runner_ = std::make_unique<LevelRunner>(setup_, registry_, groups_);
  const std::size_t groups = groups_.size();
  std::vector<std::size_t> rungs(2 * groups);
  for (std::size_t i = 0; i < rungs.size(); ++i) rungs[i] = static_cast<std::size_t>(values[2 + i].number);
  const std::span<const std::size_t> all = rungs;
  const LevelProbe probe = runner_->Probe(values[0].text, values[0].number, all.first(groups),
                                          values[1].number, all.last(groups), stop);
  CaseResult result{.is_done = probe.fault.empty(),
                    .message = OneLine(probe.fault),
                    .wall_s = probe.cost.wall_s,
                    .is_interrupted = probe.is_stopped};
  result.measures = {static_cast<double>(probe.cost.evaluations), static_cast<double>(probe.cost.steps),
                     static_cast<double>(probe.rest.evaluations),
                     probe.rows.evaluations.empty() ? 0 : static_cast<double>(probe.rows.evaluations.back())};
  result.measures.insert(result.measures.end(), probe.rows.values.begin(), probe.rows.values.end());
  return result;
}

std::string LevelProbes::HeadOf(std::span<const LevelMetric> metrics) {
  return StudyHead(ColumnsOf(metrics));
}

StudyTable& LevelProbes::Table(const LevelMetrics& metrics) {
  if (table_ == nullptr)
    table_ = std::make_unique<StudyTable>(old_.file, ColumnsOf(metrics.all()), old_.rows,
                                          std::span<const std::uint64_t>());
  return *table_;
}

/// FNV-1a.
std::string LevelProbes::NameOf(const Around& around) const {
  std::uint64_t digest = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte, word >>= 8) digest = (digest ^ (word & 0xff)) * 0x100000001b3;
  };
  const auto add_number = [&](double number) { add(std::bit_cast<std::uint64_t>(number)); };
  std::ranges::for_each(around.run.rows.values, add_number);
  std::ranges::for_each(result_.ends, add_number);
  for (const LevelGroup& group : result_.groups) {
    for (const std::string& component : group.components) std::ranges::for_each(component, add);
    add(group.levels.size());
  }
  // What the other groups have in probes of the reference depends on the tolerances.
  if (!around.is_reference) {
    for (const std::vector<std::size_t>& row : around.schedule) std::ranges::for_each(row, add);
  }
  return fmt::format("{} {:016x}", around.name, digest);
}

std::vector<std::size_t> LevelProbes::RungsOf(const Around& around, const Job& job, bool is_after) const {
  const bool is_next = is_after && !around.is_reference;
  const std::size_t window = is_next ? std::min(job.window + 1, result_.ends.size() - 1) : job.window;
  std::vector<std::size_t> rungs;
  rungs.reserve(result_.groups.size());
  for (std::size_t g = 0; g < result_.groups.size(); ++g) {
    if (job.group == kEveryGroup) {
      rungs.push_back(std::min(job.rung, result_.groups[g].levels.size() - 1));
    } else {
      rungs.push_back(g == job.group && !is_after ? job.rung : around.schedule[g][window]);
    }
  }
  return rungs;
}

std::vector<CaseValue> LevelProbes::ValuesOf(const Around& around, const Job& job) const {
  const double end = result_.ends[job.window];
  const double rest = std::min(end + (kLength - 1) * (end - result_.starts[job.window]), result_.ends.back());
  std::vector<CaseValue> values{{end, around.run.snapshots[job.window]}, {rest, {}}};
  for (const bool is_after : {false, true}) {
    for (const std::size_t rung : RungsOf(around, job, is_after))
      values.push_back({static_cast<double>(rung), {}});
  }
  return values;
}

LevelEffect LevelProbes::JobEffect(const Around& around, const Job& job) const {
  return {.group = job.group,
          .window = job.window,
          .rung = job.rung,
          .first_row = job.window == 0 ? 0 : around.run.rows_end[job.window - 1]};
}

LevelEffect LevelProbes::EffectOf(const Around& around, const LevelMetrics& metrics, const Job& job,
                                  const CaseResult& result) const {
  LevelEffect effect = JobEffect(around, job);
  effect.cost = {.evaluations = static_cast<std::uint64_t>(result.measures[kEvaluations]),
                 .steps = static_cast<std::uint64_t>(result.measures[kSteps]),
                 .wall_s = result.wall_s};
  effect.after = static_cast<std::uint64_t>(result.measures[kAfter]);
  effect.is_usable = result.is_done;
  if (!effect.is_usable) return effect;
  effect.deviation.assign(result.measures.begin() + kMeasures, result.measures.end());
  const ChannelRows& rows = around.run.rows;
  const std::size_t n = metrics.channels(), count = effect.deviation.size() / n;
  for (std::size_t i = 0; i < effect.deviation.size(); ++i)
    effect.deviation[i] -= rows.values[effect.first_row * n + i];
  // With the evaluations of the switches at both ends of the window.
  const std::uint64_t before = effect.first_row == 0 ? 0 : rows.evaluations[effect.first_row - 1];
  effect.saving =
      static_cast<double>(rows.evaluations[effect.first_row + count - 1] - before) - result.measures[kAll];
  return effect;
}

std::string LevelProbes::BeginOf(const Around& around, const std::string& name, const Job& job) const {
  const auto& longest = *std::ranges::max_element(result_.groups, {},
                                                  [](const LevelGroup& group) { return group.rungs.size(); });
  std::string group = "*", level = longest.rungs[job.rung], others;
  if (job.group != kEveryGroup) {
    group = result_.groups[job.group].name;
    level = result_.groups[job.group].rungs[job.rung];
    if (around.is_reference) {
      const auto of_longest = static_cast<std::size_t>(&longest - result_.groups.data());
      others = longest.rungs[around.schedule[of_longest][job.window]];
    }
  }
  return fmt::format("{},{},{},{},{},{},{},", job.number, CsvCell(name), CsvCell(group), CsvCell(level),
                     CsvCell(others), result_.starts[job.window], result_.ends[job.window]);
}

const std::string* LevelProbes::FindOld(const Around& around, const std::string& name, const Job& job) const {
  const auto old = old_.rows.find(job.number);
  if (old == old_.rows.end()) return nullptr;
  const std::string& row = old->second;
  if (row.starts_with(BeginOf(around, name, job))) return &row;
  // With other tolerances other probes have this number, but around the same reference.
  if (!around.is_reference || row.starts_with(fmt::format("{},{},", job.number, CsvCell(name))))
    return nullptr;
  throw std::runtime_error(
      fmt::format("{}: this is the table of another study: its case {} is another probe; name another file, "
                  "or leave out {} to replace it",
                  old_.file.string(), job.number, old_.resume));
}

std::string LevelProbes::RowOf(const std::string& begin, const LevelEffect& effect,
                               const CaseResult& result) const {
  std::string row = fmt::format("{}{},{},{},{},", begin, effect.cost.evaluations, effect.cost.steps,
                                effect.after, effect.saving);
  for (std::size_t m = 0; m < result_.metrics.size(); ++m)
    row += effect.is_usable ? fmt::format("{},", effect.errors[m]) : ",";
  for (std::size_t i = 0; i < effect.deviation.size(); ++i)
    row += fmt::format("{}{}", i == 0 ? "" : " ", effect.deviation[i]);
  return row + fmt::format(",{},{},{:.6f}", effect.is_usable ? kDone : kFailed, CsvCell(result.message),
                           result.wall_s);
}

LevelEffect LevelProbes::Read(const std::string& row, const LevelMetrics& metrics, const Around& around,
                              const Job& job) const {
  const std::vector<std::string> cells = SplitCsvLine(row);
  LevelEffect effect = JobEffect(around, job);
  effect.cost = {.evaluations = static_cast<std::uint64_t>(NumberOf(cells[kEvaluationsCell])),
                 .steps = static_cast<std::uint64_t>(NumberOf(cells[kStepsCell])),
                 .wall_s = NumberOf(cells[cells.size() - kWallFromEnd])};
  effect.after = static_cast<std::uint64_t>(NumberOf(cells[kAfterCell]));
  effect.saving = NumberOf(cells[kSavedCell]);
  effect.is_usable = cells[cells.size() - kStatusFromEnd] == kDone;
  std::string_view left = cells[cells.size() - kDeviationFromEnd];
  while (!left.empty()) {
    double value = 0;
    const std::size_t length = ParseLeadingNumber(left, value);
    if (length == 0) break;
    effect.deviation.push_back(value);
    left.remove_prefix(std::min(length + 1, left.size()));
  }
  // A row that somebody has changed.
  const std::size_t n = metrics.channels();
  const std::size_t most = around.run.rows.values.size() - effect.first_row * n;
  const bool is_whole = left.empty() && effect.deviation.size() % n == 0 && effect.deviation.size() <= most;
  if (!is_whole || effect.deviation.empty() == effect.is_usable)
    throw std::runtime_error(
        fmt::format("{}: case {} has no deviation that can be read; remove the line, and "
                    "its probe runs again with {}",
                    old_.file.string(), job.number, old_.resume));
  return effect;
}

std::vector<LevelEffect> LevelProbes::Run(const Around& around, const LevelMetrics& metrics,
                                          const std::vector<Job>& jobs) {
  const std::string name = NameOf(around);
  StudyTable& table = Table(metrics);
  std::vector<std::optional<LevelEffect>> effects(jobs.size());
  std::vector<std::uint64_t> numbers, left;
  std::map<std::uint64_t, std::size_t> places;
  std::size_t done = 0;
  const auto add_errors = [&](LevelEffect& effect) {
    if (!effect.is_usable) return;
    LevelSum alone(metrics, std::vector<double>(around.run.rows.values.size()));
    alone.Add(effect, 1);
    effect.errors = metrics.ErrorsOf(alone.deviation());
  };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    numbers.push_back(job.number);
    const std::string* old = FindOld(around, name, job);
    if (old != nullptr && !IsLeftOut(*old)) {
      add_errors(effects[i].emplace(Read(*old, metrics, around, job)));
      ++done;
      continue;
    }
    places[job.number] = i;
    left.push_back(job.number);
  }
  table.Expect(numbers);
  pool_.Run(
      left, [&](std::uint64_t number) { return ValuesOf(around, jobs[places.at(number)]); },
      [&](std::uint64_t number, std::span<const CaseValue> /*values*/, const CaseResult& result) {
        const std::size_t i = places.at(number);
        LevelEffect& effect = effects[i].emplace(EffectOf(around, metrics, jobs[i], result));
        add_errors(effect);
        table.Add(number, RowOf(BeginOf(around, name, jobs[i]), effect, result));
        ++done;
        calls_.Show(done, jobs.size(), fmt::format("{} of {} probes", done, jobs.size()));
      },
      calls_.stop);
  std::vector<LevelEffect> found;
  found.reserve(done);
  for (std::optional<LevelEffect>& effect : effects) {
    if (!effect) continue;
    ++result_.probes;
    result_.spent += effect->cost;
    result_.spent.evaluations += effect->after;
    found.push_back(*std::move(effect));
  }
  return found;
}

void LevelProbes::Skip(const Around& around, const LevelMetrics& metrics, const std::vector<Job>& jobs,
                       std::string_view reason) {
  const std::string name = NameOf(around);
  StudyTable& table = Table(metrics);
  const std::string metrics_cells(metrics.all().size(), ',');
  for (const Job& job : jobs) {
    table.Expect(std::span(&job.number, 1));
    if (FindOld(around, name, job) == nullptr)
      table.Add(job.number,
                fmt::format("{},,,,{},{},{},0", BeginOf(around, name, job), metrics_cells, kLeftOut, reason));
  }
}

void LevelProbes::Finish(std::optional<std::uint64_t> last) {
  if (table_ == nullptr) return;
  if (last) table_->EndAt(*last);
  table_->Finish();
}

bool LevelProbes::HasColumn(std::string_view name) {
  return std::ranges::any_of(ColumnsOf({}), [&](const StudyColumn& column) { return column.name == name; });
}

}  // namespace davit
