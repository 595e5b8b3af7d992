#include "app/sensitivity_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <numeric>
#include <ostream>
#include <string_view>
#include <utility>

#include "analysis/sensitivity/elementary_effects.h"
#include "analysis/sensitivity/run_differences.h"
#include "analysis/sensitivity/sobol_indices.h"
#include "analysis/sensitivity/tornado_plot.h"
#include "analysis/sensitivity/variational_run.h"
#include "analysis/study/case_list.h"
#include "analysis/study/case_pool.h"
#include "analysis/study/serve_cases.h"
#include "analysis/study/study_text.h"
#include "app/exit_code.h"
#include "framework/xml/schedule_reader.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"
#include "results/display_unit.h"
#include "results/gnuplot_process.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// How many characters `NAME=` has at the beginning of a measure; 0 where it has no name.
std::size_t LengthOfMeasureName(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  const bool is_name =
      end > 0 && end < text.size() && text[end] == '=' && !text.substr(end).starts_with("==");
  return is_name ? end + 1 : 0;
}

std::string SensitivityCell(double value) { return fmt::format("{}", value); }

/// One `davit sensitivity`. Call sequence: Check, then Execute where nothing is wrong.
class SensitivityCommand {
 public:
  SensitivityCommand(const SensitivityOptions& options, std::ostream& out, std::ostream& err)
      : options_(options), out_(out), err_(err), setup_(MakeCaseSetup(options.study)) {}

  int Run(const Registry& registry) {
    simulation_ = LoadStudySystem(options_.study, registry, err_);
    if (simulation_ == nullptr) return kWrongInput;
    Check();
    if (ServesOthers(setup_)) {
      if (is_sampled() && !diagnostics_.has_errors()) ServeCases(setup_, registry, std::move(simulation_));
      return diagnostics_.has_errors() ? kWrongInput : kDone;
    }
    if (!is_sampled()) setup_.ranks = nullptr;  // a few runs only
    return ExecuteStudy(
        diagnostics_, err_,
        [&] {
          return options_.sobol    ? ExecuteSobol(registry)
                 : options_.morris ? ExecuteMorris(registry)
                                   : ExecuteSlopes(registry);
        },
        [&] { return is_run_; });
  }

 private:
  void Check() {
    if (options_.of.empty())
      diagnostics_.Error({}, {}, "nothing is measured; give for example --of 'max(load.x)'");
    if (options_.study.vary.empty())
      diagnostics_.Error({}, {}, "no parameter is given; give for example --to load.mass");
    if (options_.sobol && options_.morris)
      diagnostics_.Error({}, {}, "--sobol and --morris are two ways to sample; give one of them");
    if (is_sampled()) {
      variations_ = ReadRandomVariations(simulation_->system(), options_.study.vary, diagnostics_);
      for (const RandomVariation& variation : variations_) setup_.items.push_back(variation.item);
      if (options_.morris) CheckBounded();
      if (options_.sobol && 2 * setup_.items.size() > kMostDimensions)
        diagnostics_.Error({}, {}, fmt::format("give at most {} parameters", kMostDimensions / 2));
    } else {
      for (const VariationText& to : options_.study.vary) ReadParameter(to);
    }
    ReadMeasures();
    CheckOutputs();
  }

  bool is_sampled() const { return options_.sobol || options_.morris; }

  /// Screening goes from one end of a range to the other.
  void CheckBounded() {
    for (const RandomVariation& variation : variations_) {
      if (!variation.values.empty() || variation.distribution.is_bounded()) continue;
      diagnostics_.Error({}, {},
                         variation.item.path +
                             " has no bounds, between which --morris steps; write uniform(low, high), "
                             "triangular(low, mode, high) or a list");
    }
  }

  void ReadParameter(const VariationText& to) {
    if (to.text.find('=') != std::string::npos)
      return diagnostics_.Error(
          to.place, {},
          "a slope is taken at the value that the system has; name the parameter alone, "
          "set it by --set, or give --sobol N or --morris N for distributions");
    System& system = simulation_->system();
    std::optional<VariedItem> item = FindVariedItem(system, TrimBlanks(to.text), to.place, diagnostics_);
    if (!item) return;
    if (!item->is_number)
      return diagnostics_.Error(
          to.place, {}, item->path + " is a choice, which has no slope; give its values to davit sweep");
    const auto is_same = [&](const VariedItem& other) { return other.path == item->path; };
    if (std::ranges::any_of(setup_.items, is_same))
      return diagnostics_.Error(to.place, {}, item->path + " is given twice; give it once");
    Fault ignored;
    const Item found = *system.FindSetting(system.root(), item->path, &ignored);
    SensitivityStep step{.value = found.Read(), .size = std::abs(found.Read()), .range = found.range()};
    if (found.kind() == Item::Kind::kState) step.size = std::max(step.size, std::abs(found.state()->nominal));
    if (step.size == 0) {
      step.size = SizeWithoutValue(found, item->unit);
      notes_.push_back(
          fmt::format("{} is 0; its steps are shares of {}", item->path, WithUnit(step.size, item->unit)));
    }
    if (!std::isfinite(step.size) || !step.HasRoom(options_.step * step.size))
      return diagnostics_.Error(
          to.place, {},
          fmt::format("{} is {} here, which leaves no room for a step of {:.3g}; set another value by --set, "
                      "or give a smaller --step",
                      item->path, step.value, options_.step * step.size));
    steps_.push_back(step);
    setup_.items.push_back(*std::move(item));
  }

  /// Of a change of something that is 0: its default, the width of its range, or one of the unit in which
  /// engineers read it.
  static double SizeWithoutValue(const Item& item, const std::string& unit) {
    const double by_default = std::abs(item.default_number().value_or(0));
    if (by_default > 0 && std::isfinite(by_default)) return by_default;
    const double width = item.range().high - item.range().low;
    return std::isfinite(width) ? width : 1 / FindDisplayUnit(unit, 0).factor;
  }

  void ReadMeasures() {
    for (const VariationText& of : options_.of) {
      const std::size_t name = LengthOfMeasureName(of.text);
      labels_.push_back(name > 0 ? of.text.substr(0, name - 1) : of.text);
      setup_.measures.push_back({name > 0 ? labels_.back() : fmt::format("measure_{}", labels_.size()),
                                 of.text.substr(name), of.place});
    }
    const MeasureSet measures(*simulation_, setup_.measures, diagnostics_);
    units_ = measures.units();
    if (diagnostics_.has_errors()) return;
    for (const Item& signal : measures.signals()) {
      signals_.push_back(signal.path());
      signal_units_.push_back(signal.unit() == kAnyUnit ? "" : signal.unit());
    }
  }

  void CheckOutputs() {
    std::vector<OutputPath> outputs;
    const auto add = [&](const char* name, const std::optional<fs::path>& file, bool is_picture) {
      if (!file) return;
      outputs.push_back({fmt::format("{} {}", name, file->string()), *file});
      const std::string ending = file->extension().string();
      if (is_picture ? ending == ".svg" || ending == ".png" : ending == ".csv") return;
      diagnostics_.Error(OptionPlace(name, file->string()), {},
                         is_picture ? "a picture is a .svg or .png file" : "a table is a .csv file");
    };
    add("-o", options_.output, false);
    add("--curves", options_.curves, false);
    add("--plot", options_.plot, true);
    if (is_sampled() && options_.curves)
      diagnostics_.Error(OptionPlace("--curves", options_.curves->string()), {},
                         "samples have no curves; leave out --sobol and --morris, or --curves");
    CheckOutputPaths(outputs, StudyInputs(options_.study, *simulation_), diagnostics_);
  }

  int ExecuteSlopes(const Registry& registry) {
    StudyWatch watch(err_, options_.study.is_quiet, 1 + 4 * setup_.items.size());
    SensitivityTable table;
    bool is_variational = false;
    std::string obstacle;
    if (options_.method != SensitivityMethod::kDifferences) {
      VariationalResult result = RunVariation(setup_, steps_, registry, watch.stop());
      obstacle = result.obstacle;
      const bool is_asked_for = options_.method == SensitivityMethod::kVariational;
      if (obstacle.empty() && !is_asked_for) obstacle = result.doubt;
      is_variational = obstacle.empty();
      if (is_variational && !result.doubt.empty()) err_ << "warning: " << result.doubt << '\n';
      table = std::move(result.table);
      is_run_ = true;
      if (!is_variational && is_asked_for) {
        watch.Clear();
        err_ << "error: the variational equations do not describe this run: " << obstacle
             << "; leave out --method variational\n";
        return kRunFailed;
      }
    }
    if (!is_variational && !watch.stop().stop_requested()) {
      setup_.probes = options_.curves ? signals_ : std::vector<std::string>();
      RunDifferences differences =
          DifferRuns(setup_, steps_, options_.step, WorkersOf(options_.study), registry, watch.stop(),
                     [&](std::uint64_t done) { watch.Show(done); });
      is_run_ = true;
      if (!differences.fault.empty()) {
        watch.Clear();
        err_ << "error: " << differences.fault << '\n';
        return kRunFailed;
      }
      if (differences.is_complete) table = std::move(differences.table);
    }
    watch.Clear();
    if (watch.stop().stop_requested()) {
      err_ << "error: interrupted\n";
      return kRunFailed;
    }
    Line("method", is_variational ? "variational equations" : "differences of runs");
    if (!obstacle.empty()) Line("reason", obstacle);
    for (const std::string& note : notes_) Line("note", note);
    ReportSlopes(table);
    WriteSlopes(table, is_variational);
    if (options_.curves) WriteCurves(table.curves);
    std::vector<TornadoPanel> panels;
    for (std::size_t m = 0; m < labels_.size(); ++m) {
      TornadoPanel panel{.label = labels_[m], .names = Paths(), .values = {}};
      for (std::size_t k = 0; k < steps_.size(); ++k)
        panel.values.push_back(NormalizedSlope(table.slopes[m][k], steps_[k].value, table.measures[m]));
      panels.push_back(std::move(panel));
    }
    Draw(panels, "percent for one percent of the parameter");
    return kDone;
  }

  void ReportSlopes(const SensitivityTable& table) {
    for (std::size_t m = 0; m < labels_.size(); ++m) {
      out_ << fmt::format("\n{} = {}\n", labels_[m], WithUnit(table.measures[m], units_[m]));
      std::vector<std::size_t> order(steps_.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto normalized = [&](std::size_t k) {
        return NormalizedSlope(table.slopes[m][k], steps_[k].value, table.measures[m]);
      };
      std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t k) {
        return std::isfinite(normalized(k)) ? std::abs(normalized(k)) : -1;
      });
      out_ << fmt::format("  {:<{}}  {:>12}  {:>14}  {}\n", "parameter", Width(), "normalised", "slope (SI)",
                          "error");
      for (const std::size_t k : order) {
        const double error = table.errors[m][k];
        out_ << fmt::format("  {:<{}}  {:>12}  {:>14.7g}  {}\n", setup_.items[k].path, Width(),
                            std::isfinite(normalized(k)) ? fmt::format("{:.6g}", normalized(k)) : "-",
                            table.slopes[m][k], std::isfinite(error) ? fmt::format("{:.2g}", error) : "-");
      }
    }
  }

  void WriteSlopes(const SensitivityTable& table, bool is_variational) {
    if (!options_.output) return;
    std::string text = "measure,parameter,value,parameter_value,slope,normalized,error,method\n";
    for (std::size_t m = 0; m < labels_.size(); ++m) {
      for (std::size_t k = 0; k < steps_.size(); ++k) {
        text += CsvCell(labels_[m]) + ',' + CsvCell(setup_.items[k].path);
        for (const double number :
             {table.measures[m], steps_[k].value, table.slopes[m][k],
              NormalizedSlope(table.slopes[m][k], steps_[k].value, table.measures[m]), table.errors[m][k]})
          text += ',' + SensitivityCell(number);
        text += is_variational ? ",variational\n" : ",differences\n";
      }
    }
    Write(*options_.output, text);
  }

  void WriteCurves(const SensitivityCurves& curves) {
    std::vector<std::string> names, units;
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      names.push_back(signals_[s]);
      units.push_back(signal_units_[s]);
      for (const VariedItem& item : setup_.items) {
        names.push_back(signals_[s] + " by " + item.path);
        units.push_back(item.unit.empty()          ? signal_units_[s]
                        : signal_units_[s].empty() ? "1/(" + item.unit + ")"
                                                   : signal_units_[s] + "/(" + item.unit + ")");
      }
    }
    CsvWriter writer(*options_.curves, names, units);
    std::vector<double> row(names.size());
    for (std::size_t i = 0; i < curves.time.size(); ++i) {
      std::size_t at = 0;
      for (std::size_t s = 0; s < signals_.size(); ++s) {
        row[at++] = curves.signals[s][i];
        for (const auto& slopes : curves.slopes) row[at++] = slopes[s][i];
      }
      writer.WriteRow(curves.time[i], row);
    }
    writer.Close();
  }

  /// The measures at points of the unit cube, and why the first that has none has none.
  struct SampledMeasures {
    bool is_complete = false;
    std::vector<std::vector<double>> values;  ///< by measure and point
    std::string message;
  };

  SampledMeasures RunPoints(const Registry& registry, const std::vector<std::vector<double>>& points,
                            std::string_view method) {
    std::vector<std::vector<CaseValue>> cases(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) {
      for (std::size_t i = 0; i < variations_.size(); ++i)
        cases[n].push_back(ValueOf(variations_[i], points[n][i]));
    }
    StudyWatch watch(err_, options_.study.is_quiet, cases.size());
    CasePool pool(setup_, registry, WorkersOf(options_.study), std::move(simulation_));
    SampledMeasures sampled;
    sampled.values.assign(labels_.size(), std::vector<double>(cases.size(), std::nan("")));
    std::vector<std::uint64_t> numbers(cases.size());
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    std::uint64_t done = 0, failed = 0;
    is_run_ = true;
    pool.Run(
        numbers, [&](std::uint64_t n) { return cases[n]; },
        [&](std::uint64_t n, std::span<const CaseValue> /*values*/, const CaseResult& result) {
          for (std::size_t m = 0; m < labels_.size(); ++m) sampled.values[m][n] = result.measures[m];
          if (!result.is_done) ++failed;
          if (sampled.message.empty()) sampled.message = result.message;
          watch.Show(++done);
        },
        watch.stop());
    watch.Clear();
    sampled.is_complete = done == cases.size();
    if (!sampled.is_complete) {
      err_ << "error: interrupted\n";
      return sampled;
    }
    Line("method", method);
    Line("cases", std::to_string(cases.size()));
    Line("failed", std::to_string(failed));
    return sampled;
  }

  int ReportNoSample(const std::string& message) {
    err_ << "error: no sample has a value for each of its cases: " << message << '\n';
    return kRunFailed;
  }

  int ExecuteSobol(const Registry& registry) {
    const std::size_t inputs = variations_.size();
    const SampledMeasures sampled =
        RunPoints(registry, SobolDesign(*options_.sobol, inputs, options_.seed), "Sobol indices");
    if (!sampled.is_complete) return kRunFailed;
    std::vector<SobolIndices> all;
    all.reserve(labels_.size());
    for (const auto& values : sampled.values) all.push_back(ComputeSobolIndices(values, inputs));
    for (std::size_t m = 0; m < labels_.size(); ++m) ReportIndices(labels_[m], units_[m], all[m]);
    const bool is_empty = std::ranges::any_of(all, [](const SobolIndices& one) { return one.used == 0; });
    if (is_empty) return ReportNoSample(sampled.message);
    WriteIndices(all);
    std::vector<TornadoPanel> panels;
    panels.reserve(labels_.size());
    for (std::size_t m = 0; m < labels_.size(); ++m)
      panels.push_back(
          {.label = labels_[m], .names = Paths(), .values = all[m].total, .inner = all[m].first});
    Draw(panels, "share of the variance: total (light) and first order (dark)");
    return kDone;
  }

  int ExecuteMorris(const Registry& registry) {
    const auto points = MorrisDesign(*options_.morris, variations_.size(), options_.seed);
    const SampledMeasures sampled = RunPoints(registry, points, "elementary effects (Morris)");
    if (!sampled.is_complete) return kRunFailed;
    std::string text = "measure,parameter,mu_star,mu_star_error,mu,sigma\n";
    std::vector<TornadoPanel> panels;
    for (std::size_t m = 0; m < labels_.size(); ++m) {
      const ElementaryEffects effects = ComputeElementaryEffects(points, sampled.values[m]);
      if (effects.used == 0) return ReportNoSample(sampled.message);
      out_ << fmt::format("\n{}{}: {} of {} trajectories\n", labels_[m],
                          units_[m].empty() ? "" : " [" + units_[m] + "]", effects.used, *options_.morris);
      out_ << fmt::format("  {:<{}}  {:>12}  {:>12}  {:>12}  {}\n", "parameter", Width(), "mu*", "mu",
                          "sigma", "error of mu*");
      std::vector<std::size_t> order(variations_.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, std::ranges::greater(),
                               [&](std::size_t i) { return effects.mu_star[i]; });
      for (const std::size_t i : order)
        out_ << fmt::format("  {:<{}}  {:>12.5g}  {:>12.5g}  {:>12.5g}  {:.2g}\n", setup_.items[i].path,
                            Width(), effects.mu_star[i], effects.mu[i], effects.sigma[i],
                            effects.mu_star_error[i]);
      for (std::size_t i = 0; i < variations_.size(); ++i) {
        text += CsvCell(labels_[m]) + ',' + CsvCell(setup_.items[i].path);
        for (const double number :
             {effects.mu_star[i], effects.mu_star_error[i], effects.mu[i], effects.sigma[i]})
          text += ',' + SensitivityCell(number);
        text += '\n';
      }
      panels.push_back({.label = labels_[m], .names = Paths(), .values = effects.mu_star, .inner = {}});
    }
    if (options_.output) Write(*options_.output, text);
    Draw(panels, "mu*: mean size of the change over the range of the parameter");
    return kDone;
  }

  static CaseValue ValueOf(const RandomVariation& variation, double p) {
    if (variation.values.empty()) return {.number = variation.distribution.Quantile(p)};
    const std::size_t count = variation.values.size();
    return variation.values[std::min(static_cast<std::size_t>(p * static_cast<double>(count)), count - 1)];
  }

  void ReportIndices(const std::string& label, const std::string& unit, const SobolIndices& indices) {
    out_ << fmt::format("\n{}: mean {}, standard deviation {}, {} of {} samples\n", label,
                        WithUnit(indices.mean, unit), WithUnit(std::sqrt(indices.variance), unit),
                        indices.used, *options_.sobol);
    out_ << fmt::format("  {:<{}}  {:>18}  {:>18}\n", "parameter", Width(), "first order", "total");
    std::vector<std::size_t> order(setup_.items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
      return std::isfinite(indices.total[i]) ? indices.total[i] : -1;
    });
    const auto cell = [](double value, double error) {
      return fmt::format("{:.4f} +- {:.4f}", value, error);
    };
    for (const std::size_t i : order)
      out_ << fmt::format("  {:<{}}  {:>18}  {:>18}\n", setup_.items[i].path, Width(),
                          cell(indices.first[i], indices.first_error[i]),
                          cell(indices.total[i], indices.total_error[i]));
  }

  void WriteIndices(const std::vector<SobolIndices>& all) {
    if (!options_.output) return;
    std::string text = "measure,parameter,first,first_error,total,total_error\n";
    for (std::size_t m = 0; m < labels_.size(); ++m) {
      for (std::size_t i = 0; i < setup_.items.size(); ++i) {
        text += CsvCell(labels_[m]) + ',' + CsvCell(setup_.items[i].path);
        for (const double number :
             {all[m].first[i], all[m].first_error[i], all[m].total[i], all[m].total_error[i]})
          text += ',' + SensitivityCell(number);
        text += '\n';
      }
    }
    Write(*options_.output, text);
  }

  void Draw(const std::vector<TornadoPanel>& panels, std::string_view axis) {
    if (!options_.plot) return;
    const PictureFormat format =
        options_.plot->extension() == ".png" ? PictureFormat::kPng : PictureFormat::kSvg;
    Write(*options_.plot,
          RunGnuplot(MakeTornadoPlot(panels, axis, options_.study.system.stem().string(), format)));
  }

  static void Write(const fs::path& path, std::string_view text) {
    OutputFile file(path);
    file.Write(text);
    file.Close();
  }
  void Line(std::string_view name, std::string_view value) {
    out_ << fmt::format("{:<17} {}\n", name, value);
  }
  static std::string WithUnit(double value, const std::string& unit) {
    return unit.empty() ? fmt::format("{:.9g}", value) : fmt::format("{:.9g} {}", value, unit);
  }
  std::vector<std::string> Paths() const {
    std::vector<std::string> paths;
    paths.reserve(setup_.items.size());
    for (const VariedItem& item : setup_.items) paths.push_back(item.path);
    return paths;
  }
  std::size_t Width() const {
    std::size_t width = 9;
    for (const VariedItem& item : setup_.items) width = std::max(width, item.path.size());
    return width;
  }

  const SensitivityOptions& options_;
  std::ostream& out_;
  std::ostream& err_;
  CaseSetup setup_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<SensitivityStep> steps_;
  std::vector<std::string> notes_;           ///< on steps
  std::vector<RandomVariation> variations_;  ///< of --sobol and --morris
  std::vector<std::string> labels_, units_;  ///< by measure
  std::vector<std::string> signals_, signal_units_;
  bool is_run_ = false;
};

}  // namespace

int RunSensitivity(const SensitivityOptions& options, const Registry& registry, std::ostream& out,
                   std::ostream& err) {
  return SensitivityCommand(options, out, err).Run(registry);
}

void AddSensitivityCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command =
      *program.add_subcommand("sensitivity", "Tells how measures of a run depend on parameters");
  const auto options = std::make_shared<SensitivityOptions>();
  AddStudyOptions(
      command, options->study,
      "A parameter, input or start value, as --set takes it; may be given several times. With --sobol and "
      "--morris its distribution: PATH=uniform(low, high), normal(mean, deviation), triangular(low, mode, "
      "high), "
      "lognormal(mean, deviation), or a list",
      "--to");
  AddTexts(command, "--of", options->of,
           "EXPR or NAME=EXPR: a measure, as davit sweep --measure takes it; may be given several times")
      ->type_name("EXPR");
  command
      .add_option_function<std::string>(
          "--method",
          [options](const std::string& name) {
            options->method = name == "variational"   ? SensitivityMethod::kVariational
                              : name == "differences" ? SensitivityMethod::kDifferences
                                                      : SensitivityMethod::kAuto;
          },
          "variational (the equations of the slopes, along one run), differences (of runs), auto: the first "
          "where it describes the run")
      ->type_name("auto|variational|differences")
      ->check(CLI::IsMember({"auto", "variational", "differences"}));
  command.add_option("--step", options->step, "Of differences of runs, as a share of the value")
      ->type_name("X")
      ->check(CLI::Range(1e-8, 0.5));
  command
      .add_option("--sobol", options->sobol,
                  "Shares of the variance instead of slopes, from N samples: N (parameters + 2) cases")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{2}, std::uint64_t{1'000'000}));
  command
      .add_option(
          "--morris", options->morris,
          "Screening instead of slopes, for many parameters: elementary effects along N trajectories, N "
          "(parameters + 1) cases")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{2}, std::uint64_t{1'000'000}));
  command.add_option("--seed", options->seed, "Of the samples")->type_name("S");
  command.add_option("-o,--output", options->output, "Table (.csv)")->type_name("FILE");
  command
      .add_option("--curves", options->curves,
                  "The signals of the measures over time, and their slopes by each parameter (.csv)")
      ->type_name("FILE");
  command.add_option("--plot", options->plot, "Draws bars, the longest on top: a tornado (.svg or .png)")
      ->type_name("FILE");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    options->study.ranks = context.ranks;
    const bool is_right = context.LoadPlugins(options->study.system);
    context.exit_code =
        is_right ? RunSensitivity(*options, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
