#include "app/sweep_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <numeric>
#include <ostream>
#include <system_error>
#include <utility>

#include "analysis/study/case_list.h"
#include "analysis/study/case_pool.h"
#include "analysis/study/rank_channel.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_plot.h"
#include "analysis/study/study_table.h"
#include "analysis/study/write_study_hdf5.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/exception_text.h"
#include "framework/xml/schedule_reader.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"
#include "results/gnuplot_process.h"
#include "results/output_failure.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The table in which rows arrive: a CSV file is the table itself.
fs::path JournalOf(const fs::path& output) {
  fs::path journal = output;
  if (output.extension() == ".h5") journal += ".csv";
  return journal;
}

/// One `davit sweep`. Call sequence: Load, Check, Resume as long as they give true; then Execute.
class SweepCommand {
 public:
  SweepCommand(const SweepOptions& options, std::ostream& out, std::ostream& err)
      : options_(options), out_(out), err_(err), setup_(MakeCaseSetup(options.study)) {}

  int Run(const Registry& registry) {
    simulation_ = LoadStudySystem(options_.study, registry, err_);
    if (simulation_ == nullptr) return kWrongInput;
    Check();
    return ExecuteStudy(
        diagnostics_, err_, [&] { return Execute(registry); }, [&] { return done_ > 0; });
  }

 private:
  void Check() {
    ReadCases();
    setup_.items = cases_.items();
    setup_.measures = ReadMeasureOptions(options_.study.measures, diagnostics_);
    const MeasureSet measures(*simulation_, setup_.measures, diagnostics_);
    columns_ = StudyColumns(setup_.items, setup_.measures, measures.units());
    if (options_.study.measures.empty() && !options_.keeps_curves) {
      diagnostics_.Error(
          {}, {},
          "nothing is measured; give for example --measure peak='max(load.x)', or keep the curves with "
          "--keep");
    }
    CheckNames();
    CheckFiles();
    ReadShard();
    if (!diagnostics_.has_errors() && options_.is_resumed && !ServesOthers(setup_)) ReadOldRows();
  }

  void ReadCases() {
    System& system = simulation_->system();
    const StudyOptions& study = options_.study;
    if (options_.cases) {
      if (!study.vary.empty() || options_.samples)
        diagnostics_.Error(OptionPlace("--cases", options_.cases->string()), {},
                           "the file has all values; leave out --vary and --samples");
      cases_ = LoadCases(*options_.cases, system, diagnostics_);
    } else if (study.vary.empty()) {
      diagnostics_.Error(
          {}, {}, "nothing is varied; give for example --vary 'load.mass=5 t:1 t:15 t', or --cases FILE");
    } else if (options_.samples) {
      const auto variations = ReadRandomVariations(system, study.vary, diagnostics_);
      if (!diagnostics_.has_errors())
        cases_ = CaseList(variations, options_.sampling, *options_.samples, options_.seed);
    } else {
      cases_ = CaseList(ReadVariations(system, study.vary, diagnostics_));
    }
    if (cases_.size() > CaseList::kMostCases) {
      diagnostics_.Error({}, {},
                         fmt::format("there are more than {} cases; give longer steps, or --samples N",
                                     CaseList::kMostCases));
    }
  }

  /// A measure must not have the name of another column.
  void CheckNames() {
    for (const MeasureDefinition& measure : setup_.measures) {
      const auto is_same = [&](const StudyColumn& column) { return column.name == measure.name; };
      if (std::ranges::count_if(columns_, is_same) > 1)
        diagnostics_.Error(measure.place, {},
                           "another column of the table has this name; give the measure another one");
    }
  }

  void CheckFiles() {
    const std::string ending = options_.output.extension().string();
    std::error_code ignored;
    if (ending != ".csv" && ending != ".h5" && !fs::is_other(options_.output, ignored)) {
      diagnostics_.Error(OptionPlace("-o", options_.output.string()), {},
                         "unknown kind of table; name a .csv or .h5 file");
    }
    const std::string option = "-o " + options_.output.string();
    std::vector<OutputPath> outputs{{option, options_.output}};
    if (const fs::path journal = JournalOf(options_.output); journal != options_.output)
      outputs.push_back({option, journal, true});
    if (options_.plot) {
      outputs.push_back({"--plot " + options_.plot->string(), *options_.plot});
      if (options_.plot->extension() != ".svg" && options_.plot->extension() != ".png")
        diagnostics_.Error(OptionPlace("--plot", options_.plot->string()), {},
                           "a picture is a .svg or .png file");
    }
    CheckOutputPaths(outputs,
                     StudyInputs(options_.study, *simulation_,
                                 options_.cases ? std::vector{*options_.cases} : std::vector<fs::path>{}),
                     diagnostics_);
    if (options_.keeps_curves) {
      fs::path folder = options_.output;
      setup_.curves = folder.replace_extension("") += "_curves";
    }
  }

  void ReadShard() {
    std::uint64_t count = 1;
    if (!options_.shard.empty()) {
      const char* const end = options_.shard.data() + options_.shard.size();
      const auto first = std::from_chars(options_.shard.data(), end, shard_);
      const auto second = first.ptr != end && *first.ptr == '/'
                              ? std::from_chars(first.ptr + 1, end, count)
                              : std::from_chars_result{first.ptr, std::errc::invalid_argument};
      if (first.ec != std::errc() || second.ec != std::errc() || second.ptr != end || shard_ < 1 ||
          shard_ > count) {
        diagnostics_.Error(OptionPlace("--shard", options_.shard), {},
                           "this is no shard; write i/n with i from 1 to n, as in 1/4");
        return;
      }
    }
    if (cases_.size() > CaseList::kMostCases) return;
    for (std::uint64_t number = shard_; number <= cases_.size(); number += count) numbers_.push_back(number);
  }

  /// Of --resume.
  void ReadOldRows() {
    const fs::path journal = JournalOf(options_.output);
    std::error_code ignored;
    if (!fs::is_regular_file(journal, ignored)) return;  // nothing is done yet
    StudyRows old = LoadStudyRows(journal, diagnostics_);
    const auto name = std::make_shared<const std::string>(journal.string());
    if (!old.head.empty() && old.head != StudyHead(columns_)) {
      diagnostics_.Error(
          {name, 1}, {},
          "this is the table of another study: its columns differ; name another file, or leave out "
          "--resume to replace it");
      return;
    }
    for (const auto& [number, row] : old.rows) {
      const bool is_here = number >= 1 && number <= cases_.size() &&
                           row.starts_with(StudyRowBegin(number, cases_.CaseAt(number - 1), setup_.items));
      if (is_here && std::ranges::binary_search(numbers_, number)) continue;
      diagnostics_.Error(
          {name, 0}, {},
          fmt::format("this is the table of another study: its case {} is none of this one; name "
                      "another file, or leave out --resume to replace it",
                      number));
      return;
    }
    rows_ = std::move(old.rows);
  }

  int Execute(const Registry& registry) {
    if (ServesOthers(setup_)) {
      ServeCases(setup_, registry, std::move(simulation_));
      return kDone;
    }
    const auto begin = std::chrono::steady_clock::now();
    if (setup_.curves) fs::create_directories(*setup_.curves);
    const std::size_t resumed = rows_.size();
    std::vector<std::uint64_t> left;
    for (const std::uint64_t number : numbers_) {
      if (!rows_.contains(number)) left.push_back(number);
    }
    StudyTable table(JournalOf(options_.output), columns_, std::move(rows_), numbers_);
    const auto workers = static_cast<unsigned>(
        std::min<std::uint64_t>(WorkersOf(options_.study), std::max<std::uint64_t>(left.size(), 1)));
    StudyWatch watch(err_, options_.study.is_quiet, numbers_.size());
    CasePool pool(setup_, registry, workers, std::move(simulation_));
    done_ = resumed;
    pool.Run(
        left, [this](std::uint64_t number) { return cases_.CaseAt(number - 1); },
        [&](std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
          table.Add(number, StudyRow(number, values, setup_.items, result));
          watch.Show(++done_);
        },
        watch.stop());
    watch.Clear();
    table.Finish();
    const bool is_complete = done_ == numbers_.size();
    WriteHdf5(table, is_complete);
    if (options_.plot) Draw(table);
    const std::uint64_t failed = CountFailed(table);
    if (!options_.study.is_quiet)
      Report(resumed, failed, workers,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return failed == done_ && done_ > 0 ? kRunFailed : kDone;
  }

  void WriteHdf5(const StudyTable& table, bool is_complete) {
    if (options_.output.extension() != ".h5") return;
    WriteStudyHdf5(options_.output, columns_, table.rows());
    if (!is_complete) return;
    const fs::path journal = JournalOf(options_.output);
    fs::remove(journal);
    fs::remove(UnitsFileOf(journal));
  }

  void Draw(const StudyTable& table) {
    const PictureFormat format =
        options_.plot->extension() == ".png" ? PictureFormat::kPng : PictureFormat::kSvg;
    const std::string script =
        MakeStudyPlot(columns_, table.rows(), setup_.items.size(), !cases_.grid().empty(),
                      options_.study.system.stem().string(), format);
    if (script.empty()) {
      err_ << options_.plot->string()
           << ": warning: not written: there is no varied number or no measure to draw\n";
      return;
    }
    OutputFile file(*options_.plot);
    file.Write(RunGnuplot(script));
    file.Close();
  }

  std::uint64_t CountFailed(const StudyTable& table) const {
    const std::size_t status = columns_.size() - 3;
    return static_cast<std::uint64_t>(std::ranges::count_if(table.rows(), [&](const auto& numbered) {
      return SplitCsvLine(numbered.second)[status] == "failed";
    }));
  }

  void Report(std::uint64_t resumed, std::uint64_t failed, unsigned workers, double wall_s) {
    const auto line = [this](std::string_view name, const auto& value) {
      out_ << fmt::format("{:<17} {}\n", name, value);
    };
    line("cases", numbers_.size());
    if (resumed > 0) line("resumed", resumed);
    line("done", done_ - failed);
    line("failed", failed);
    line("workers", workers);
    if (setup_.ranks != nullptr) line("processes", setup_.ranks->size());
    line("wall_s", fmt::format("{:.6g}", wall_s));
    line("cases_per_second", fmt::format("{:.4g}", static_cast<double>(done_ - resumed) / wall_s));
    line("status", done_ == numbers_.size() ? "done" : "interrupted; --resume continues");
  }

  const SweepOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  CaseSetup setup_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
  CaseList cases_;
  std::vector<StudyColumn> columns_;
  std::uint64_t shard_ = 1;
  std::vector<std::uint64_t> numbers_;         ///< of the cases that this shard has
  std::map<std::uint64_t, std::string> rows_;  ///< of --resume
  std::uint64_t done_ = 0;
};

}  // namespace

int RunSweep(const SweepOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  return SweepCommand(options, out, err).Run(registry);
}

int RunCollect(const CollectOptions& options, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  const fs::path& output = options.output;
  const StudyRows joined = JoinStudyRows(options.tables, diagnostics);
  CheckOutputPaths(std::vector<OutputPath>{{"-o " + output.string(), output}}, options.tables, diagnostics);
  if (options.cases && !joined.rows.empty() && joined.rows.rbegin()->first > *options.cases)
    diagnostics.Error({}, {},
                      fmt::format("--cases {}: the tables have a case {}; give the number of all cases",
                                  *options.cases, joined.rows.rbegin()->first));
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  try {
    OutputFile file(output);
    std::string text = joined.head + '\n';
    for (const auto& [number, row] : joined.rows) text += row + '\n';
    file.Write(text);
    file.Close();
    const fs::path units = UnitsFileOf(options.tables.front());
    std::error_code ignored;
    if (fs::is_regular_file(units, ignored) && file.is_regular())
      fs::copy_file(units, UnitsFileOf(output), fs::copy_options::overwrite_existing);
  } catch (const std::exception& fault) {
    err << "error: " << Explain(fault) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {} cases of {} tables\n", output.string(), joined.rows.size(),
                     options.tables.size());
  const MissingCases missing = FindMissingCases(joined, options.cases);
  if (missing.count == 0) return kDone;
  err << fmt::format("{}: {} case{} missing, the first of them is {}; continue the shards with --resume{}\n",
                     options.is_partial ? "warning" : "error", missing.count,
                     missing.count == 1 ? " is" : "s are", missing.first,
                     options.is_partial ? "" : ", or accept it with --partial");
  return options.is_partial ? kDone : kRunFailed;
}

void AddSweepCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command = *program.add_subcommand("sweep", "Runs a system for many values of its parameters");
  const auto sweep = std::make_shared<SweepOptions>();
  AddStudyOptions(
      command, sweep->study,
      "What is varied, and its values: LOW:STEP:HIGH, or a list; of levels and options the names. May be "
      "given several times: all combinations. With --samples a distribution: uniform(low, high), "
      "normal(mean, deviation), triangular(low, mode, high), lognormal(mean, deviation)");
  AddMeasureOption(command, sweep->study);
  command.add_option("-o,--output", sweep->output, "Table (.csv or .h5), a row for each case")
      ->type_name("FILE")
      ->required();
  command.add_option("--cases", sweep->cases, "The cases as CSV: the first line has the paths")
      ->type_name("FILE");
  command.add_option("--samples", sweep->samples, "Number of random cases")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, CaseList::kMostCases));
  command
      .add_option_function<std::string>(
          "--sampling",
          [sweep](const std::string& name) {
            sweep->sampling = name == "sobol"    ? Sampling::kSobol
                              : name == "random" ? Sampling::kRandom
                                                 : Sampling::kLatinHypercube;
          },
          "How samples fill the space: lhs (Latin hypercube), sobol, random")
      ->type_name("lhs|sobol|random")
      ->check(CLI::IsMember({"lhs", "sobol", "random"}));
  command
      .add_option("--seed", sweep->seed,
                  "Of the samples: the same seed gives the same samples on every machine")
      ->type_name("S");
  command.add_flag("--keep", sweep->keeps_curves,
                   "Keeps the recorded curves of each case: TABLE_curves/case_1.csv ...");
  command
      .add_option("--signals", sweep->study.load.signals, "What --keep records (globs), instead of <Record>")
      ->type_name("GLOBS")
      ->expected(1)
      ->take_all();
  command.add_option("--interval", sweep->study.load.interval, "Time between rows of --keep")
      ->type_name("DT");
  command
      .add_option("--plot", sweep->plot,
                  "Draws the measures (.svg or .png): over one varied number, as contours over two, else as "
                  "a scatter "
                  "matrix")
      ->type_name("FILE");
  command.add_flag("--resume", sweep->is_resumed,
                   "Keeps the rows that the table has, and runs the other cases");
  command
      .add_option("--shard", sweep->shard, "Runs each n-th case, the first of them case i; see davit collect")
      ->type_name("i/n");
  AddPluginOption(command, context);
  command.callback([&context, sweep] {
    sweep->study.ranks = context.ranks;
    const bool is_right = context.LoadPlugins(sweep->study.system);
    context.exit_code = is_right ? RunSweep(*sweep, context.registry, context.out, context.err) : kWrongInput;
  });

  CLI::App& collect = *program.add_subcommand("collect", "Joins the tables of the shards of a sweep");
  const auto options = std::make_shared<CollectOptions>();
  collect.add_option("TABLE", options->tables, "Tables (.csv)")->required();
  collect.add_option("-o,--output", options->output, "Table (.csv)")->type_name("FILE")->required();
  collect
      .add_option("--cases", options->cases,
                  "How many cases the study has; without it nobody knows of cases after the last one")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, CaseList::kMostCases));
  collect.add_flag("--partial", options->is_partial,
                   "Missing cases are a warning; otherwise the exit code is 1, after the table was written");
  collect.callback(
      [&context, options] { context.exit_code = RunCollect(*options, context.out, context.err); });
}

}  // namespace davit
