#include "analysis/studies/faults_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "analysis/study/case_pool.h"
#include "analysis/study/measure_parser.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_text.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "framework/units/quantity.h"
#include "results/csv_text.h"
#include "session/replaced_settings.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

double NumberOfCell(const std::string& cell) {
  double value = std::numeric_limits<double>::quiet_NaN();
  ParseLeadingNumber(cell, value);
  return value;
}

std::string CellOf(double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); }

}  // namespace

const StudyKind& FaultsStudy::Kind() {
  using O = FaultsOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{
        kFaultsName, {}, []() -> std::unique_ptr<Study> { return std::make_unique<FaultsStudy>(); }};
    kind.options = {
        Row<O>(&O::faults,
               {.name = "fault",
                .text = "Fault or glob of faults: boom_cylinder.internal_leak, boom_*; with other "
                        "values than the usual one boom_cylinder.internal_leak=1e-12,1e-11; default: "
                        "all. May be given several times",
                .element = "Fault",
                .pattern = "path[=values]"}),
        Row<O>(&O::has_pairs, {.name = "pairs", .text = "Runs all pairs of the faults, too"}),
        Row<O>(
            &O::lists,
            {.name = "list", .text = "Lists the faults of the system; nothing is run", .is_in_files = false}),
        Row<O>(&O::at,
               {.name = "at",
                .text = "When the faults happen; default: at StartTime, or at the time of the snapshot",
                .form = "T"}),
        Row<O>(&O::window, {.name = "window",
                            .text = "Time that is simulated after the faults; default: to StopTime",
                            .form = "T"}),
        Row<O>(&O::snapshot, {.name = "snapshot",
                              .text = "Begins with this snapshot of davit run --save-state",
                              .form = "FILE"}),
        Row<O>(&O::measures,
               {.name = "hazard",
                .text =
                    "An effect, a column of the table: a condition, boom_cylinder.p_a gt 300 bar, is 1 if it "
                    "ever holds, else 0; of a value, crane.tip_height, the largest one; or any measure of "
                    "davit sweep, min(crane.tip_height). May be given several times",
                .element = "Hazard",
                .pattern = "name=expr"}),
        Row<O>(&O::detectors, {.name = "detect",
                               .text = "Glob of charts, states and alarms that count as detection: safety, "
                                       "safety.moment_*; default: all. May be given several times",
                               .element = "Detect",
                               .pattern = "path"}),
        Row<O>(&O::output, {.name = "output",
                            .text = "Table (.csv), a row for each case",
                            .form = "FILE",
                            .letter = 'o',
                            .usual_file = ".csv"}),
        Row<O>(
            &O::fmea,
            {.name = "fmea", .text = "Writes a page of failure modes and effects (.html)", .form = "FILE"})};
    for (StudyOption& option : SharedStudyOptions()) {
      if (option.name != "at") kind.options.push_back(std::move(option));
    }
    std::ranges::move(DividedStudyOptions<O>(), std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void FaultsStudy::CheckOptions() {
  chosen_ = SelectFaults(tree(), options.faults, diagnostics());
  if (chosen_.empty() && options.faults.empty())
    Fail("no model of the system declares faults; davit describe MODEL lists those of a model");
  cases_ = MakeFaultCases(chosen_, options.has_pairs);
  if (cases_.size() > CaseList::kMostCases)
    Fail(fmt::format("there are more than {} cases; choose fewer faults with {}", CaseList::kMostCases,
                     Spell("fault", "boom_*")));
  ReadHazards();
  ReadTimes();
  ReadDetectors();
  faults_.faults = options.faults;
  faults_.has_pairs = options.has_pairs;
  result_.columns = {
      {"case", "", true}, {"fault", "", false}, {"detected_by", "", false}, {"detection_time", "s", true}};
  for (const FaultHazard& hazard : result_.hazards)
    result_.columns.push_back({hazard.name, hazard.unit, true});
  result_.columns.insert(result_.columns.end(),
                         {{"status", "", false}, {"message", "", false}, {"wall_s", "s", true}});
  CheckFiles();
  const Shard shard = ReadShard(options.shard);
  for (std::uint64_t number = shard.first; number <= cases_.size(); number += shard.count)
    numbers_.push_back(number);
  if (!diagnostics().has_errors() && options.is_resumed && !serves_others()) ReadTable();
  faults_.base = setup_;
}

/// A condition and a value become measures: whether it ever holds, the largest.
void FaultsStudy::ReadHazards() {
  ReadMeasures();
  constexpr auto kColumns = std::to_array<std::string_view>(
      {"case", "fault", "detected_by", "detection_time", "status", "message", "wall_s"});
  const auto compiles = [this](MeasureDefinition one, std::string text) {
    one.text = std::move(text);
    Diagnostics ignored;
    const MeasureSet tried(*simulation_, {&one, 1}, ignored);
    return !ignored.has_errors();
  };
  for (MeasureDefinition& hazard : setup_.measures) {
    FaultHazard& found = result_.hazards.emplace_back(FaultHazard{.name = hazard.name, .text = hazard.text});
    if (std::ranges::find(kColumns, hazard.name) != kColumns.end())
      diagnostics().Error(hazard.place, {},
                          Fault{"another column of the table is named " + Quoted(hazard.name),
                                "give the hazard another name"});
    if (HasMeasure(hazard.text, tree().units())) continue;
    if (const std::string condition = fmt::format("max(({}) ? 1 : 0)", hazard.text);
        compiles(hazard, condition)) {
      hazard.text = condition;
      found.is_condition = true;
    } else {
      hazard.text = fmt::format("max({})", hazard.text);
    }
  }
  const MeasureSet measures(*simulation_, setup_.measures, diagnostics());
  for (std::size_t i = 0; i < result_.hazards.size(); ++i) result_.hazards[i].unit = measures.units()[i];
}

void FaultsStudy::ReadTimes() {
  const auto read = [this](std::string_view option, const std::optional<VariationText>& given, double& time) {
    if (!given) return;
    const QuantityResult result = ParseQuantity(given->text, "s", tree().units());
    if (result.value) {
      time = result.value->si;
    } else {
      diagnostics().Error(given->place, {},
                          Fault{fmt::format("{}: {}", option, result.fault.what), result.fault.remedy});
    }
  };
  double begin = simulation_->start_time();
  if (options.snapshot) {
    const ReplacedSettings settings(simulation_->system(), setup_.options.load);
    const Diagnostics faults = simulation_->LoadState(*options.snapshot);
    diagnostics().Add(faults);
    if (faults.has_errors()) return;
    settings.Check(diagnostics(), Severity::kError);  // the table would be that of another system
    begin = simulation_->time();
    faults_.snapshot = options.snapshot;
  }
  const double stop = simulation_->stop_time();
  faults_.time = begin;
  double window = std::numeric_limits<double>::infinity();
  read("at", options.at, faults_.time);
  read("window", options.window, window);
  const auto fail = [this](const std::optional<VariationText>& given, const Fault& fault) {
    diagnostics().Error(given ? given->place : shared().place, {}, fault);
  };
  if (!(faults_.time >= begin && faults_.time < stop))
    return fail(options.at, {fmt::format("at {:.9g} s there is no run, which goes from {:.9g} s to {:.9g} s",
                                         faults_.time, begin, stop),
                             "choose a time inside of it"});
  if (!(window > 0))
    return fail(options.window, {"no time is left after the faults", "choose a window above 0, such as 5 s"});
  faults_.end = faults_.time + window;
  if (std::isfinite(window) && faults_.end > stop + 1e-9 * std::abs(stop))
    fail(options.window,
         {fmt::format("the window ends at {:.9g} s, the run at {:.9g} s", faults_.end, stop),
          "choose a shorter window, or give " + Spell("stop", fmt::format("{:.9g} s", faults_.end))});
  faults_.end = std::min(stop, faults_.end);
  if (std::isinf(faults_.end))
    fail(options.window,
         {"the run has no end", "give " + Spell("window", "10 s") + " or " + Spell("stop", "50 s")});
  result_.time = faults_.time;
  result_.end = faults_.end;
}

void FaultsStudy::ReadDetectors() {
  const std::vector<std::string> names = Detection::Names(*simulation_);
  for (const VariationText& one : options.detectors) {
    faults_.detectors.push_back(one.text);
    if (std::ranges::any_of(names, [&](const std::string& name) {
          return MatchesGlob(name, one.text) || MatchesGlob(name, one.text + ".*");
        }))
      continue;
    diagnostics().Error(
        one.place, {},
        Fault{"no chart, state or alarm " + Quoted(one.text), SuggestName("there are", one.text, names)});
  }
}

void FaultsStudy::CheckFiles() {
  if (options.output) {
    AddTable("output", *options.output);
  } else if (options.is_resumed) {
    diagnostics().Error(PlaceOf("resume", ""), {}, "there is no table; name it with " + Spell("output"));
  }
  if (options.fmea) {
    AddOutput("fmea", *options.fmea, *options.fmea);
    if (options.fmea->extension() != ".html")
      FailFile("fmea", *options.fmea, "failure modes and effects are an .html file");
  }
  CheckOutputs(options.snapshot ? std::vector{*options.snapshot} : std::vector<fs::path>{});
}

std::string FaultsStudy::RowBegin(std::uint64_t number) const {
  return fmt::format("{},{},", number, CsvCell(cases_.at(number - 1).name));
}

std::string FaultsStudy::RowOf(std::uint64_t number, const CaseResult& result) const {
  std::string row = RowBegin(number) + CsvCell(result.texts.empty() ? std::string() : result.texts.front());
  for (const double value : result.measures) row += ',' + CellOf(value);
  return row + fmt::format(",{},{},{:.6f}", result.is_done ? "done" : "failed", CsvCell(result.message),
                           result.wall_s);
}

FaultRow FaultsStudy::ReadRow(std::uint64_t number, const std::string& text) const {
  const std::vector<std::string> cells = SplitCsvLine(text);
  FaultRow row{.fault = cells.at(1), .detected_by = cells.at(2), .detection_time = NumberOfCell(cells.at(3))};
  for (std::size_t i = 0; i < result_.hazards.size(); ++i)
    row.hazards.push_back(NumberOfCell(cells.at(4 + i)));
  row.status = cells.at(cells.size() - 3);
  row.message = cells.at(cells.size() - 2);
  for (const SystemFault* fault : cases_.at(number - 1).faults)
    row.meaning += (row.meaning.empty() ? "" : "; ") + fault->text;
  return row;
}

/// Of a campaign that is resumed.
void FaultsStudy::ReadTable() {
  rows_ = ReadOldRows(*options.output, StudyHead(result_.columns), "campaign");
  for (const auto& [number, row] : rows_) {
    const bool is_here = number >= 1 && number <= cases_.size() && row.starts_with(RowBegin(number));
    if (is_here && std::ranges::binary_search(numbers_, number)) continue;
    return diagnostics().Error(
        {std::make_shared<const std::string>(options.output->string()), 0}, {},
        fmt::format(
            "this is the table of another campaign: its case {} is none of this one; name another file, "
            "or leave out {} to replace it",
            number, Spell("resume")));
  }
}

void FaultsStudy::Serve() {
  if (options.lists) return;
  ServeCases(*shared().ranks, [this] { return std::make_unique<FaultWorker>(faults_, registry()); });
}

void FaultsStudy::Execute(const StudyCalls& calls) {
  const auto begin = std::chrono::steady_clock::now();
  if (options.lists) {
    result_.listed = ListFaults(tree());
    has_result_ = true;
    return;
  }
  result_.cases = numbers_.size();
  result_.resumed = rows_.size();
  std::vector<std::uint64_t> left;
  for (const std::uint64_t number : numbers_) {
    if (!rows_.contains(number)) left.push_back(number);
  }
  result_.workers =
      static_cast<unsigned>(std::min<std::uint64_t>(workers(), std::max<std::uint64_t>(left.size(), 1)));
  simulation_.reset();
  const FaultWorker* first = nullptr;
  CasePool pool(
      result_.workers,
      [&] {
        auto worker = std::make_unique<FaultWorker>(faults_, registry(), first);
        if (first == nullptr) first = worker.get();
        return worker;
      },
      setup_.ranks);
  for (std::size_t i = 0; i < result_.hazards.size(); ++i)
    result_.hazards[i].usual = first->usual().measures.at(1 + i);
  StudyTable table(options.output.value_or(fs::path()), result_.columns, std::move(rows_), numbers_);
  std::uint64_t done = result_.resumed;
  has_run_ = true;
  pool.Run(
      left, [](std::uint64_t) { return std::vector<CaseValue>(); },
      [&](std::uint64_t number, std::span<const CaseValue> /*values*/, const CaseResult& result) {
        table.Add(number, RowOf(number, result));
        calls.Show(++done, numbers_.size());
      },
      calls.stop);
  table.Finish();
  result_.table = table.rows();
  for (const auto& [number, row] : result_.table) result_.rows.push_back(ReadRow(number, row));
  result_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  has_result_ = true;
  if (!options.fmea) return;
  WriteText(*options.fmea,
            MakeFmeaSheet(TitleOfPictures(),
                          fmt::format("Each fault happens at {:.6g} s and is watched until {:.6g} s.",
                                      result_.time, result_.end),
                          result_.hazards, result_.rows));
}

StudyFacts FaultsStudy::Facts() const {
  const auto count = [this](auto predicate) {
    return static_cast<std::uint64_t>(std::ranges::count_if(result_.rows, predicate));
  };
  NamedNumbers usual;
  for (const FaultHazard& hazard : result_.hazards) usual.emplace_back(hazard.name, hazard.usual);
  return {{"table", StudyTableFacts{result_.columns, ValuesOfRows(result_.columns, result_.table)}},
          {"without_fault", usual},
          {"cases", result_.cases},
          {"detected", count(&FaultRow::is_detected)},
          {"hazardous", count([this](const FaultRow& row) { return row.is_hazardous(result_.hazards); })},
          {"hazardous_undetected", count([this](const FaultRow& row) {
             return row.is_hazardous(result_.hazards) && !row.is_detected();
           })},
          {"status", std::string(result_.is_complete() ? "done" : "interrupted")}};
}

}  // namespace davit
