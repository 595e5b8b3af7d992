#include "analysis/studies/frequency_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linear_pictures.h"
#include "analysis/study/study_table.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "results/csv_text.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

std::vector<double> PhasesOf(const std::vector<FrequencyPoint>& points, std::size_t output) {
  std::vector<std::complex<double>> response;
  response.reserve(points.size());
  for (const FrequencyPoint& point : points) response.push_back(point.gain[output]);
  return ContinuousPhase(response);
}

}  // namespace

const StudyKind& FrequencyStudy::Kind() {
  using O = FrequencyStudyOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{
        kFrequencyName, {}, []() -> std::unique_ptr<Study> { return std::make_unique<FrequencyStudy>(); }};
    kind.options = {
        Row<O>(&O::input,
               {.name = "input",
                .text = "Input to excite, or a live parameter; a route to the input is disconnected",
                .element = "Input",
                .pattern = "path",
                .is_required = true}),
        Row<O>(&O::outputs, {.name = "output",
                             .text = "Output to measure; may be given several times",
                             .element = "Output",
                             .pattern = "path",
                             .is_required = true}),
        Row<O>(&O::from,
               {.name = "from", .text = "Lowest frequency, e.g. '0.1 Hz'", .form = "F", .is_required = true}),
        Row<O>(&O::to, {.name = "to", .text = "Highest frequency", .form = "F", .is_required = true}),
        Row<O>(&O::points,
               {.name = "points", .text = "Number of frequencies", .form = "N", .range = {1, 1000}}),
        Row<O>(&O::amplitude, {.name = "amplitude",
                               .text = "Amplitude of the sine, in the unit of the input",
                               .form = "A",
                               .is_required = true}),
        Row<O>(&O::at,
               {.name = "at", .text = "When the excitation begins; default: at StartTime", .form = "T"}),
        Row<O>([](O& options) -> bool& { return options.simulation.is_steady; },
               {.name = "steady", .text = "Begins at the equilibrium at StartTime"}),
        Row<O>(&O::is_multisine,
               {.name = "multisine",
                .text = "Excites all frequencies simultaneously instead of one after the other"}),
        Row<O>(&O::settle, {.name = "settle",
                            .text = "Minimum number of periods before the measurement",
                            .form = "N",
                            .range = {1, 2000}}),
        Row<O>(&O::periods,
               {.name = "periods", .text = "Number of measured periods", .form = "N", .range = {1, 1000}}),
        Row<O>(&O::table, {.name = "output_file",
                           .text = "Table, in SI (.csv)",
                           .form = "FILE",
                           .letter = 'o',
                           .usual_file = ".csv"}),
        Row<O>(&O::bode, {.name = "bode",
                          .text = "Draws the Bode diagram (.svg or .png)",
                          .form = "FILE",
                          .usual_file = "_bode.svg"})};
    std::ranges::move(SharedStudyOptions({"set", "level", "summary"}), std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void FrequencyStudy::CheckOptions() {
  const std::size_t faults = diagnostics().error_count();
  const std::optional<double> from = ReadPositive(options.from, "Hz"), to = ReadPositive(options.to, "Hz"),
                              at = ReadQuantity(options.at, "s");
  std::optional<double> amplitude;
  if (options.amplitude) {
    const QuantityResult read = ParseQuantity(options.amplitude->text, tree().units());
    if (read.value) {
      amplitude = read.value->si;
    } else {
      diagnostics().Error(options.amplitude->place, {}, read.fault);
    }
  }
  const bool is_read = diagnostics().error_count() == faults;
  run_ = {.system = options.system,
          .text = options.text,
          .simulation = setup_.options,
          .input = options.input,
          .outputs = options.outputs,
          .from = from.value_or(1),
          .to = to.value_or(from.value_or(1)),
          .points = static_cast<int>(options.points),
          .amplitude = amplitude.value_or(1),
          .at = at,
          .is_multisine = options.is_multisine,
          .settle = static_cast<int>(options.settle),
          .periods = static_cast<int>(options.periods)};
  if (options.at && options.simulation.is_steady)
    diagnostics().Error(
        options.at->place, {},
        fmt::format("{} and {} exclude each other; the steady state is that of the start time", Spell("at"),
                    Spell("steady")));
  Diagnostics found;
  CheckFrequencyOptions(run_, *simulation_, found);
  if (is_read) {
    AddFaultsOfOptions(found);
  } else {  // what follows from a number that could not be read is not told
    Diagnostics of_paths;
    for (const Diagnostic& one : found.all()) {
      if (one.path == "--input" || one.path == "--output") of_paths.Add(one);
    }
    AddFaultsOfOptions(of_paths);
  }
  if (options.table) AddTable("output_file", *options.table);
  if (options.bode) AddPicture("bode", *options.bode);
  CheckOutputs();
}

void FrequencyStudy::Execute(const StudyCalls& calls) {
  const System& system = tree();
  const auto unit_of = [&](const std::string& path) {
    Fault none;
    return system.FindVariable(system.root(), path, &none)->unit();
  };
  measured_.input_unit = unit_of(options.input);
  for (const std::string& output : options.outputs) measured_.output_units.push_back(unit_of(output));
  run_.stop = calls.stop;
  has_run_ = true;
  calls.Show(0, options.points);
  Diagnostics found;
  try {
    MeasureFrequencies(run_, registry(), found, [&](const FrequencyPoint& point) {
      measured_.points.push_back(point);
      has_result_ = true;
      WriteTable();
      calls.Show(measured_.points.size(), options.points, fmt::format("{:.4g} Hz", point.frequency));
    });
  } catch (const std::exception&) {
    if (has_result_) Draw();
    throw;
  }
  if (found.has_errors()) throw std::runtime_error(ToText(found));
  Draw();
}

void FrequencyStudy::WriteTable() const {
  if (!options.table) return;
  std::vector<StudyColumn> columns{{"frequency", "Hz"}, {"amplitude", measured_.input_unit}};
  std::vector<std::vector<double>> phases;
  for (std::size_t i = 0; i < options.outputs.size(); ++i) {
    const std::string& name = options.outputs[i];
    columns.push_back({name + ".gain", UnitOfGain(measured_.output_units[i], measured_.input_unit)});
    columns.push_back({name + ".phase", "deg"});
    columns.push_back({name + ".coherence", ""});
    columns.push_back({name + ".distortion", ""});
    phases.push_back(PhasesOf(measured_.points, i));
  }
  std::string text = StudyHead(columns) + '\n';
  for (std::size_t k = 0; k < measured_.points.size(); ++k) {
    const FrequencyPoint& point = measured_.points[k];
    text += fmt::format("{},{}", point.frequency, std::abs(point.u));
    for (std::size_t i = 0; i < options.outputs.size(); ++i)
      text += fmt::format(",{},{},{},{}", std::abs(point.gain[i]), phases[i][k], point.coherence[i],
                          point.distortion[i]);
    text += '\n';
  }
  WriteText(*options.table, text);
  WriteStudyUnits(*options.table, columns);
}

void FrequencyStudy::Draw() const {
  if (!options.bode) return;
  AxisPicture picture{
      .title = TitleOfPictures() + ", measured", .x_label = "Frequency [Hz]", .is_log_x = true};
  AxisPicture::PanelOf phase{.label = "Phase [deg]"}, coherence{.label = "Coherence"};
  for (const FrequencyPoint& point : measured_.points) picture.x.push_back(point.frequency);
  for (std::size_t i = 0; i < options.outputs.size(); ++i) {
    const std::string name = options.input + " -> " + options.outputs[i];
    std::vector<double> gain, coherent;
    for (const FrequencyPoint& point : measured_.points) {
      gain.push_back(20 * std::log10(std::abs(point.gain[i])));
      coherent.push_back(std::round(1e3 * point.coherence[i]) / 1e3);  // the rest is rounding
    }
    const std::string unit = UnitOfGain(measured_.output_units[i], measured_.input_unit);
    picture.PanelWith(GainLabel(unit)).series.push_back({name, std::move(gain)});
    phase.series.push_back({name, PhasesOf(measured_.points, i)});
    coherence.series.push_back({name, std::move(coherent)});
  }
  picture.panels.push_back(std::move(phase));
  picture.panels.push_back(std::move(coherence));
  WritePicture(*options.bode, AxisPictureScript(picture, FormatOf(*options.bode)));
}

StudyFacts FrequencyStudy::Facts() const {
  std::vector<double> frequency;
  std::vector<std::vector<double>> gain(options.outputs.size()), phase, coherence(options.outputs.size()),
      distortion(options.outputs.size());
  for (const FrequencyPoint& point : measured_.points) {
    frequency.push_back(point.frequency);
    for (std::size_t i = 0; i < options.outputs.size(); ++i) {
      gain[i].push_back(std::abs(point.gain[i]));
      coherence[i].push_back(point.coherence[i]);
      distortion[i].push_back(point.distortion[i]);
    }
  }
  for (std::size_t i = 0; i < options.outputs.size(); ++i) phase.push_back(PhasesOf(measured_.points, i));
  return {{"input", options.input},
          {"outputs", options.outputs},
          {"input_unit", measured_.input_unit},
          {"output_units", measured_.output_units},
          {"frequency", frequency},
          {"gain", gain},
          {"phase", phase},
          {"coherence", coherence},
          {"distortion", distortion}};
}

}  // namespace davit
