#include "analysis/studies/sensitivity_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "analysis/sensitivity/run_differences.h"
#include "analysis/sensitivity/variational_run.h"
#include "analysis/study/case_pool.h"
#include "analysis/study/sampling.h"
#include "analysis/study/study_text.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"
#include "results/display_unit.h"

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

/// Of a change of something that is 0: its default, the width of its range, or one of the unit in which
/// engineers read it.
double SizeWithoutValue(const Item& item, const std::string& unit) {
  const double by_default = std::abs(item.default_number().value_or(0));
  if (by_default > 0 && std::isfinite(by_default)) return by_default;
  const double width = item.range().high - item.range().low;
  return std::isfinite(width) ? width : 1 / FindDisplayUnit(unit, 0).factor;
}

CaseValue ValueAtShare(const RandomVariation& variation, double p) {
  if (variation.values.empty()) return {.number = variation.distribution.Quantile(p)};
  const std::size_t count = variation.values.size();
  return variation.values[std::min(static_cast<std::size_t>(p * static_cast<double>(count)), count - 1)];
}

}  // namespace

const StudyKind& SensitivityStudy::Kind() {
  using O = SensitivityOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{kSensitivityName, {}, []() -> std::unique_ptr<Study> {
                     return std::make_unique<SensitivityStudy>();
                   }};
    kind.options = {Row<O>(
        &O::vary,
        {.name = "to",
         .text =
             "A parameter, input or start value; may be given several times. With `sobol` and `morris` its "
             "distribution: uniform(low, high), normal(mean, deviation), triangular(low, mode, high), "
             "lognormal(mean, deviation), or a list",
         .element = "To",
         .pattern = "path[=values]"})};
    std::ranges::copy(SharedStudyOptions(), std::back_inserter(kind.options));
    constexpr double kMostSamples = 1'000'000;
    std::ranges::copy(
        std::vector<StudyOption>{
            Row<O>(&O::of, {.name = "of",
                            .text = "A measure, as davit sweep takes it; may be given several times",
                            .element = "Of",
                            .pattern = "[name=]expr"}),
            Row<O>(&O::method, {.name = "method",
                                .text = "variational (sensitivity equations, along one run), differences (of "
                                        "runs), auto: variational if it describes the run",
                                .choices = {"auto", "variational", "differences"}}),
            Row<O>(&O::step, {.name = "step",
                              .text = "Step of the differences of runs, as a fraction of the value",
                              .form = "X",
                              .range = {1e-8, 0.5}}),
            Row<O>(&O::sobol, {.name = "sobol",
                               .text = "Variance-based (Sobol) indices instead of sensitivities, from N "
                                       "samples: N (parameters + 2) cases",
                               .form = "N",
                               .range = {2, kMostSamples}}),
            Row<O>(&O::morris,
                   {.name = "morris",
                    .text =
                        "Screening instead of sensitivities, for many parameters: elementary effects along N "
                        "trajectories, N (parameters + 1) cases",
                    .form = "N",
                    .range = {2, kMostSamples}}),
            Row<O>(&O::seed,
                   {.name = "seed", .text = "Random seed of the samples", .form = "S", .range = kSeedRange}),
            Row<O>(&O::output, {.name = "output",
                                .text = "Table (.csv)",
                                .form = "FILE",
                                .letter = 'o',
                                .usual_file = ".csv"}),
            Row<O>(&O::curves, {.name = "curves",
                                .text = "The signals of the measures over time, and their sensitivities to "
                                        "each parameter (.csv)",
                                .form = "FILE"}),
            Row<O>(&O::plot, {.name = "plot",
                              .text = "Draws bars, the longest on top: a tornado (.svg or .png)",
                              .form = "FILE"})},
        std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void SensitivityStudy::CheckOptions() {
  if (options.of.empty()) Fail("nothing is measured; give for example " + Spell("of", "max(load.x)"));
  if (options.vary.empty()) Fail("no parameter is given; give for example " + Spell("to", "load.mass"));
  if (options.sobol && options.morris)
    Fail(fmt::format("{} and {} are two ways to sample; give one of them", Spell("sobol"), Spell("morris")));
  if (is_sampled()) {
    variations_ = ReadRandomVariations(tree(), options.vary, diagnostics());
    for (const RandomVariation& variation : variations_) setup_.items.push_back(variation.item);
    if (options.morris) CheckBounded();
    if (options.sobol && 2 * setup_.items.size() > kMostDimensions)
      Fail(fmt::format("give at most {} parameters", kMostDimensions / 2));
  } else {
    for (const VariationText& to : options.vary) ReadParameter(to);
  }
  result_.parameters = setup_.items;
  ReadMeasuresOf();
  CheckFiles();
}

/// Screening goes from one end of a range to the other.
void SensitivityStudy::CheckBounded() {
  for (const RandomVariation& variation : variations_) {
    if (!variation.values.empty() || variation.distribution.is_bounded()) continue;
    Fail(fmt::format(
        "{} has no bounds, between which {} steps; write uniform(low, high), triangular(low, mode, "
        "high) or a list",
        variation.item.path, Spell("morris")));
  }
}

void SensitivityStudy::ReadParameter(const VariationText& to) {
  const auto fail = [&](const std::string& text) { diagnostics().Error(to.place, {}, text); };
  if (to.text.find('=') != std::string::npos)
    return fail(
        fmt::format("a slope is taken at the value that the system has; name the parameter alone, set it by "
                    "{}, or give {} or {} "
                    "for distributions",
                    Spell("set"), Spell("sobol", "N"), Spell("morris", "N")));
  std::optional<VariedItem> item = FindVariedItem(tree(), TrimBlanks(to.text), to.place, diagnostics());
  if (!item) return;
  if (!item->is_number)
    return fail(item->path + " is a choice, which has no slope; give its values to a sweep");
  const auto is_same = [&](const VariedItem& other) { return other.path == item->path; };
  if (std::ranges::any_of(setup_.items, is_same)) return fail(item->path + " is given twice; give it once");
  Fault ignored;
  const Item found = *tree().FindSetting(tree().root(), item->path, &ignored);
  SensitivityStep step{.value = found.Read(), .size = std::abs(found.Read()), .range = found.range()};
  if (found.kind() == Item::Kind::kState) step.size = std::max(step.size, std::abs(found.state()->nominal));
  if (step.size == 0) {
    step.size = SizeWithoutValue(found, item->unit);
    result_.notes.push_back(fmt::format("{} is 0; its steps are shares of {:.9g}{}{}", item->path, step.size,
                                        item->unit.empty() ? "" : " ", item->unit));
  }
  if (!std::isfinite(step.size) || !step.HasRoom(options.step * step.size))
    return fail(
        fmt::format("{} is {} here, which leaves no room for a step of {:.3g}; set another value by {}, or "
                    "give a smaller {}",
                    item->path, step.value, options.step * step.size, Spell("set"), Spell("step")));
  result_.steps.push_back(step);
  setup_.items.push_back(*std::move(item));
}

void SensitivityStudy::ReadMeasuresOf() {
  for (const VariationText& of : options.of) {
    const std::size_t name = LengthOfMeasureName(of.text);
    result_.labels.push_back(name > 0 ? of.text.substr(0, name - 1) : of.text);
    setup_.measures.push_back(
        {name > 0 ? result_.labels.back() : fmt::format("measure_{}", result_.labels.size()),
         of.text.substr(name), of.place});
  }
  const MeasureSet measures(*simulation_, setup_.measures, diagnostics());
  result_.units = measures.units();
  if (diagnostics().has_errors()) return;
  for (const Item& signal : measures.signals()) {
    signals_.push_back(signal.path());
    signal_units_.push_back(signal.unit() == kAnyUnit ? "" : signal.unit());
  }
}

void SensitivityStudy::CheckFiles() {
  if (options.output) AddTable("output", *options.output);
  if (options.curves) AddTable("curves", *options.curves);
  if (options.plot) AddPicture("plot", *options.plot);
  if (is_sampled() && options.curves)
    FailFile("curves", *options.curves,
             fmt::format("samples have no curves; leave out {} and {}, or {}", Spell("sobol"),
                         Spell("morris"), Spell("curves")));
  CheckOutputs();
}

void SensitivityStudy::Execute(const StudyCalls& calls) {
  if (options.sobol) return FindIndices(calls);
  if (options.morris) return FindEffects(calls);
  FindSlopes(calls);
}

void SensitivityStudy::FindSlopes(const StudyCalls& calls) {
  if (options.method != SensitivityMethod::kDifferences) {
    VariationalResult found = RunVariation(setup_, result_.steps, registry(), calls.stop);
    has_run_ = true;
    const bool is_asked_for = options.method == SensitivityMethod::kVariational;
    if (is_asked_for && !found.obstacle.empty())
      throw std::runtime_error(
          fmt::format("the variational equations do not describe this run: {}; leave out {}", found.obstacle,
                      Spell("method", "variational")));
    result_.reason = found.obstacle.empty() ? found.doubt : found.obstacle;
    result_.is_variational = is_asked_for || result_.reason.empty();
    if (is_asked_for && !found.doubt.empty()) warnings_.push_back("warning: " + found.doubt);
    result_.table = std::move(found.table);
  }
  if (!result_.is_variational && !calls.stop.stop_requested()) {
    if (options.curves) setup_.probes = signals_;
    RunDifferences differences =
        DifferRuns(setup_, result_.steps, options.step, workers(), registry(), calls.stop,
                   [&](std::uint64_t done) { calls.Show(done, 1 + 4 * setup_.items.size()); });
    has_run_ = true;
    if (!differences.fault.empty()) throw std::runtime_error(differences.fault);
    if (differences.is_complete) result_.table = std::move(differences.table);
  }
  if (calls.stop.stop_requested()) throw std::runtime_error("interrupted");
  has_result_ = true;
  Write("value,parameter_value,slope,normalized,error,method", [&](std::size_t m, std::size_t k) {
    const SensitivityTable& table = result_.table;
    return fmt::format("{},{},{},{},{},{}", table.measures[m], result_.steps[k].value, table.slopes[m][k],
                       result_.Normalized(m, k), table.errors[m][k],
                       result_.is_variational ? "variational" : "differences");
  });
  if (options.curves) WriteCurves();
  Draw("Normalised sensitivity [%/%]", [&](std::size_t m) {
    TornadoPanel panel;
    for (std::size_t k = 0; k < result_.steps.size(); ++k) panel.values.push_back(result_.Normalized(m, k));
    return panel;
  });
}

void SensitivityStudy::WriteCurves() const {
  const SensitivityCurves& curves = result_.table.curves;
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
  CsvWriter writer(*options.curves, names, units);
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

std::vector<std::vector<double>> SensitivityStudy::RunPoints(const std::vector<std::vector<double>>& points,
                                                             const StudyCalls& calls) {
  const auto values_of = [&](std::uint64_t n) {
    std::vector<CaseValue> values;
    values.reserve(variations_.size());
    for (std::size_t i = 0; i < variations_.size(); ++i)
      values.push_back(ValueAtShare(variations_[i], points[n][i]));
    return values;
  };
  CasePool pool(setup_, registry(), workers(), std::move(simulation_));
  std::vector<std::vector<double>> values(result_.labels.size(),
                                          std::vector<double>(points.size(), std::nan("")));
  std::vector<std::uint64_t> numbers(points.size());
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  has_run_ = true;
  pool.Run(
      numbers, values_of,
      [&](std::uint64_t n, std::span<const CaseValue> /*values*/, const CaseResult& result) {
        for (std::size_t m = 0; m < values.size(); ++m) values[m][n] = result.measures[m];
        if (!result.is_done) ++result_.failed;
        if (message_.empty()) message_ = result.message;
        calls.Show(++result_.cases, points.size());
      },
      calls.stop);
  if (result_.cases < points.size()) throw std::runtime_error("interrupted");
  has_result_ = true;
  return values;
}

void SensitivityStudy::FindIndices(const StudyCalls& calls) {
  const std::size_t inputs = variations_.size();
  for (const auto& values : RunPoints(SobolDesign(*options.sobol, inputs, options.seed), calls))
    result_.indices.push_back(ComputeSobolIndices(values, inputs));
  if (std::ranges::any_of(result_.indices, [](const SobolIndices& one) { return one.used == 0; }))
    throw std::runtime_error("no sample has a value for each of its cases: " + message_);
  Write("first,first_error,total,total_error", [&](std::size_t m, std::size_t i) {
    const SobolIndices& of = result_.indices[m];
    return fmt::format("{},{},{},{}", of.first[i], of.first_error[i], of.total[i], of.total_error[i]);
  });
  Draw("Share of the variance: total (light) and first order (dark)", [&](std::size_t m) {
    return TornadoPanel{
        .label = {}, .names = {}, .values = result_.indices[m].total, .inner = result_.indices[m].first};
  });
}

void SensitivityStudy::FindEffects(const StudyCalls& calls) {
  const auto points = MorrisDesign(*options.morris, variations_.size(), options.seed);
  for (const auto& values : RunPoints(points, calls))
    result_.effects.push_back(ComputeElementaryEffects(points, values));
  if (std::ranges::any_of(result_.effects, [](const ElementaryEffects& one) { return one.used == 0; }))
    throw std::runtime_error("no sample has a value for each of its cases: " + message_);
  Write("mu_star,mu_star_error,mu,sigma", [&](std::size_t m, std::size_t i) {
    const ElementaryEffects& of = result_.effects[m];
    return fmt::format("{},{},{},{}", of.mu_star[i], of.mu_star_error[i], of.mu[i], of.sigma[i]);
  });
  Draw("mu*: mean size of the change over the range of the parameter", [&](std::size_t m) {
    return TornadoPanel{.label = {}, .names = {}, .values = result_.effects[m].mu_star, .inner = {}};
  });
}

template <class Cells>
void SensitivityStudy::Write(std::string_view head, const Cells& cells) const {
  if (!options.output) return;
  std::string text = fmt::format("measure,parameter,{}\n", head);
  for (std::size_t m = 0; m < result_.labels.size(); ++m) {
    for (std::size_t k = 0; k < setup_.items.size(); ++k)
      text +=
          fmt::format("{},{},{}\n", CsvCell(result_.labels[m]), CsvCell(setup_.items[k].path), cells(m, k));
  }
  WriteText(*options.output, text);
}

template <class Values>
void SensitivityStudy::Draw(std::string_view axis, const Values& panel) const {
  if (!options.plot) return;
  std::vector<TornadoPanel> panels;
  for (std::size_t m = 0; m < result_.labels.size(); ++m) {
    panels.push_back(panel(m));
    panels.back().label = result_.labels[m];
    for (const VariedItem& item : setup_.items) panels.back().names.push_back(item.path);
  }
  WritePicture(*options.plot, MakeTornadoPlot(panels, axis, TitleOfPictures(), FormatOf(*options.plot)));
}

StudyFacts SensitivityStudy::Facts() const {
  StudyFacts facts{{"measures", result_.labels},
                   {"units", result_.units},
                   {"parameters", MembersOf(result_.parameters, &VariedItem::path)}};
  const auto add = [&](StudyFacts more) { std::ranges::move(more, std::back_inserter(facts)); };
  if (options.sobol) {
    const std::vector<SobolIndices>& all = result_.indices;
    std::vector<double> deviation;
    deviation.reserve(all.size());
    for (const SobolIndices& one : all) deviation.push_back(std::sqrt(one.variance));
    add({{"mean", MembersOf(all, &SobolIndices::mean)},
         {"deviation", deviation},
         {"first", MembersOf(all, &SobolIndices::first)},
         {"first_error", MembersOf(all, &SobolIndices::first_error)},
         {"total", MembersOf(all, &SobolIndices::total)},
         {"total_error", MembersOf(all, &SobolIndices::total_error)},
         {"cases", result_.cases}});
  } else if (options.morris) {
    const std::vector<ElementaryEffects>& all = result_.effects;
    add({{"mu_star", MembersOf(all, &ElementaryEffects::mu_star)},
         {"mu_star_error", MembersOf(all, &ElementaryEffects::mu_star_error)},
         {"mu", MembersOf(all, &ElementaryEffects::mu)},
         {"sigma", MembersOf(all, &ElementaryEffects::sigma)},
         {"cases", result_.cases}});
  } else {
    std::vector<std::vector<double>> normalized(result_.labels.size());
    for (std::size_t m = 0; m < normalized.size(); ++m)
      for (std::size_t k = 0; k < result_.steps.size(); ++k)
        normalized[m].push_back(result_.Normalized(m, k));
    add({{"values", result_.table.measures},
         {"parameter_values", MembersOf(result_.steps, &SensitivityStep::value)},
         {"parameter_units", MembersOf(result_.parameters, &VariedItem::unit)},
         {"slopes", result_.table.slopes},
         {"normalized", normalized},
         {"errors", result_.table.errors},
         {"method", std::string(result_.is_variational ? "variational" : "differences")},
         {"reason", result_.reason},
         {"notes", result_.notes}});
  }
  return facts;
}

}  // namespace davit
