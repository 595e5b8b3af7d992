#include "analysis/studies/sweep_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

#include "analysis/study/case_pool.h"
#include "analysis/study/study_plot.h"
#include "analysis/study/write_study_hdf5.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The table in which rows arrive: a CSV file is the table itself.
fs::path JournalOf(const std::optional<fs::path>& output) {
  fs::path journal = output.value_or(fs::path());
  if (journal.extension() == ".h5") journal += ".csv";
  return journal;
}

}  // namespace

const StudyKind& SweepStudy::Kind() {
  using O = SweepOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{kSweepName, {}, []() -> std::unique_ptr<Study> { return std::make_unique<SweepStudy>(); }};
    kind.options = {Row<O>(
        &O::vary, {.name = "vary",
                   .text = "Quantity to vary and its values: LOW:STEP:HIGH or a list; names for levels and "
                           "options. May be given several times: all combinations. With `samples` a "
                           "distribution: uniform(low, high), normal(mean, deviation), triangular(low, "
                           "mode, high), lognormal(mean, deviation)",
                   .element = "Vary",
                   .pattern = "path=values"})};
    std::ranges::copy(SharedStudyOptions(), std::back_inserter(kind.options));
    std::ranges::copy(
        std::vector<StudyOption>{
            MeasureStudyOption(),
            Row<O>(&O::output, {.name = "output",
                                .text = "Table (.csv or .h5), a row for each case",
                                .form = "FILE",
                                .letter = 'o',
                                .usual_file = ".csv",
                                .is_required = true}),
            Row<O>(
                &O::cases,
                {.name = "cases", .text = "The cases as CSV: the first line has the paths", .form = "FILE"}),
            Row<O>(&O::samples, {.name = "samples",
                                 .text = "Number of random cases",
                                 .form = "N",
                                 .range = {1, static_cast<double>(CaseList::kMostCases)}}),
            Row<O>(&O::sampling, {.name = "sampling",
                                  .text = "How samples fill the space: lhs (Latin hypercube), sobol, random",
                                  .choices = {"lhs", "sobol", "random"}}),
            Row<O>(&O::seed, {.name = "seed",
                              .text = "Random seed: the same seed gives the same samples on every machine",
                              .form = "S",
                              .range = kSeedRange}),
            Row<O>(&O::keeps_curves,
                   {.name = "keep",
                    .text = "Keeps the recorded curves of each case: TABLE_curves/case_1.csv ..."}),
            Row<O>([](O& o) -> std::vector<std::string>& { return o.simulation.load.signals; },
                   {.name = "signals",
                    .text = "Signals that `keep` records (globs), instead of <Record>",
                    .form = "GLOBS"}),
            Row<O>([](O& o) -> std::optional<std::string>& { return o.simulation.load.interval; },
                   {.name = "interval", .text = "Time between rows of `keep`", .form = "DT"}),
            Row<O>(
                &O::plot,
                {.name = "plot",
                 .text = "Draws the measures (.svg or .png): over one varied number, as contours over two, "
                         "else as a scatter matrix",
                 .form = "FILE"})},
        std::back_inserter(kind.options));
    std::ranges::copy(DividedStudyOptions<O>(), std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void SweepStudy::CheckOptions() {
  ReadCases();
  setup_.items = cases_.items();
  ReadMeasures();
  const MeasureSet measures(*simulation_, setup_.measures, diagnostics());
  result_.columns = StudyColumns(setup_.items, setup_.measures, measures.units(), options.judged);
  if (options.measures.empty() && options.judged.empty() && !options.keeps_curves)
    Fail(fmt::format("nothing is measured; give for example {}, or keep the curves with {}",
                     Spell("measure", "peak=max(load.x)"), Spell("keep")));
  CheckNames();
  CheckFiles();
  const Shard shard = ReadShard(options.shard);
  if (cases_.size() <= CaseList::kMostCases) {
    for (std::uint64_t number = shard.first; number <= cases_.size(); number += shard.count)
      numbers_.push_back(number);
  }
  if (!diagnostics().has_errors() && options.is_resumed && !serves_others()) ReadTable();
}

void SweepStudy::ReadCases() {
  if (options.cases) {
    if (!options.vary.empty() || options.samples)
      FailFile("cases", *options.cases,
               fmt::format("the file has all values; leave out {} and {}", Spell("vary"), Spell("samples")));
    cases_ = LoadCases(*options.cases, tree(), diagnostics());
  } else if (options.vary.empty()) {
    Fail(fmt::format("nothing is varied; give for example {}, or {}", Spell("vary", "load.mass=5 t:1 t:15 t"),
                     Spell("cases", "FILE")));
  } else if (options.samples) {
    const auto variations = ReadRandomVariations(tree(), options.vary, diagnostics());
    if (!diagnostics().has_errors())
      cases_ = CaseList(variations, options.sampling, *options.samples, options.seed);
  } else {
    cases_ = CaseList(ReadVariations(tree(), options.vary, diagnostics()));
  }
  if (cases_.size() > CaseList::kMostCases)
    Fail(fmt::format("there are more than {} cases; give longer steps, or {}", CaseList::kMostCases,
                     Spell("samples", "N")));
}

/// A measure must not have the name of another column.
void SweepStudy::CheckNames() {
  for (const MeasureDefinition& measure : setup_.measures) {
    if (std::ranges::count(result_.columns, measure.name, &StudyColumn::name) > 1)
      diagnostics().Error(measure.place, {},
                          "another column of the table has this name; give the measure another one");
  }
}

void SweepStudy::CheckFiles() {
  if (options.output) {
    const fs::path& output = *options.output;
    const std::string ending = output.extension().string();
    std::error_code ignored;
    if (ending != ".csv" && ending != ".h5" && !fs::is_other(output, ignored))
      FailFile("output", output, "unknown kind of table; name a .csv or .h5 file");
    AddOutput("output", output, output);
    if (const fs::path journal = JournalOf(output); journal != output)
      AddOutput("output", output, journal, true);
  } else if (options.is_resumed || options.keeps_curves) {
    diagnostics().Error(PlaceOf(options.is_resumed ? "resume" : "keep", ""), {},
                        "there is no table; name it with " + Spell("output"));
  }
  if (options.plot) AddPicture("plot", *options.plot);
  CheckOutputs(options.cases ? std::vector{*options.cases} : std::vector<fs::path>{});
  if (options.keeps_curves && options.output) {
    fs::path folder = *options.output;
    setup_.curves = folder.replace_extension("") += "_curves";
  }
}

/// Of a study that is resumed.
void SweepStudy::ReadTable() {
  const fs::path journal = JournalOf(options.output);
  rows_ = ReadOldRows(journal, StudyHead(result_.columns), "study");
  for (const auto& [number, row] : rows_) {
    const bool is_here = number >= 1 && number <= cases_.size() &&
                         row.starts_with(StudyRowBegin(number, cases_.CaseAt(number - 1), setup_.items));
    if (is_here && std::ranges::binary_search(numbers_, number)) continue;
    return diagnostics().Error(
        {std::make_shared<const std::string>(journal.string()), 0}, {},
        fmt::format(
            "this is the table of another study: its case {} is none of this one; name another file, or "
            "leave out {} to replace it",
            number, Spell("resume")));
  }
}

void SweepStudy::Execute(const StudyCalls& calls) {
  const auto begin = std::chrono::steady_clock::now();
  if (setup_.curves) fs::create_directories(*setup_.curves);
  result_.resumed = rows_.size();
  result_.cases = numbers_.size();
  std::vector<std::uint64_t> left;
  for (const std::uint64_t number : numbers_) {
    if (!rows_.contains(number)) left.push_back(number);
  }
  StudyTable table(JournalOf(options.output), result_.columns, std::move(rows_), numbers_);
  result_.workers =
      static_cast<unsigned>(std::min<std::uint64_t>(workers(), std::max<std::uint64_t>(left.size(), 1)));
  CasePool pool(setup_, registry(), result_.workers, std::move(simulation_));
  std::uint64_t done = result_.resumed;
  has_run_ = done > 0;
  pool.Run(
      left, [this](std::uint64_t number) { return cases_.CaseAt(number - 1); },
      [&](std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
        table.Add(number, StudyRow(number, values, setup_.items, result));
        has_run_ = true;
        calls.Show(++done, numbers_.size());
      },
      calls.stop);
  table.Finish();
  result_.rows = table.rows();
  const std::size_t status = result_.columns.size() - 3;
  result_.failed = static_cast<std::uint64_t>(std::ranges::count_if(
      result_.rows, [&](const auto& numbered) { return SplitCsvLine(numbered.second)[status] == "failed"; }));
  WriteHdf5();
  if (options.plot) Draw();
  result_.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  has_result_ = true;
}

void SweepStudy::WriteHdf5() const {
  if (!options.output || options.output->extension() != ".h5") return;
  WriteStudyHdf5(*options.output, result_.columns, result_.rows);
  if (!result_.is_complete()) return;
  const fs::path journal = JournalOf(options.output);
  fs::remove(journal);
  fs::remove(UnitsFileOf(journal));
}

void SweepStudy::Draw() {
  const std::string script =
      MakeStudyPlot(result_.columns, result_.rows, setup_.items.size(), !cases_.grid().empty(),
                    TitleOfPictures(), FormatOf(*options.plot));
  if (!script.empty()) return WritePicture(*options.plot, script);
  warnings_.push_back(options.plot->string() +
                      ": warning: not written: there is no varied number or no measure to draw");
}

StudyFacts SweepStudy::Facts() const {
  return {{"table", StudyTableFacts{result_.columns, ValuesOfRows(result_.columns, result_.rows)}}};
}

}  // namespace davit
