#include "app/studies/frequency_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <exception>
#include <memory>
#include <numbers>
#include <ostream>
#include <utility>

#include "analysis/frequency/frequency_run.h"
#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linear_pictures.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "app/studies/analysis_input.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "results/gnuplot_process.h"
#include "results/save_file.h"
#include "session/output_paths.h"

namespace davit {
namespace {

double GainInDecibels(std::complex<double> gain) { return 20 * std::log10(std::abs(gain)); }

std::string FrequencyTable(const std::vector<FrequencyPoint>& points,
                           const std::vector<std::string>& outputs) {
  std::string text = "frequency,amplitude";
  for (const std::string& output : outputs)
    text += fmt::format(",{0}.gain,{0}.phase,{0}.coherence,{0}.distortion", output);
  text += '\n';
  std::vector<std::vector<double>> phases;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<std::complex<double>> response;
    response.reserve(points.size());
    for (const FrequencyPoint& point : points) response.push_back(point.gain[i]);
    phases.push_back(ContinuousPhase(response));
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    text += fmt::format("{},{}", points[k].frequency, std::abs(points[k].u));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      text += fmt::format(",{},{},{},{}", std::abs(points[k].gain[i]), phases[i][k], points[k].coherence[i],
                          points[k].distortion[i]);
    }
    text += '\n';
  }
  return text;
}

AxisPicture MeasuredBode(const MeasuredResponse& measured, const FrequencyCommandOptions& options) {
  AxisPicture picture{
      .title = options.system.stem().string() + ", measured", .x_label = "Frequency [Hz]", .is_log_x = true};
  AxisPicture::PanelOf phase{.label = "Phase [deg]"}, coherence{.label = "Coherence"};
  for (const FrequencyPoint& point : measured.points) picture.x.push_back(point.frequency);
  for (std::size_t i = 0; i < options.outputs.size(); ++i) {
    const std::string name = options.input + " -> " + options.outputs[i];
    std::vector<std::complex<double>> response;
    std::vector<double> gain, coherent;
    for (const FrequencyPoint& point : measured.points) {
      response.push_back(point.gain[i]);
      gain.push_back(GainInDecibels(point.gain[i]));
      coherent.push_back(std::round(1e3 * point.coherence[i]) / 1e3);  // the rest is rounding
    }
    const std::string unit = UnitOfGain(measured.output_units[i], measured.input_unit);
    picture.PanelWith(GainLabel(unit)).series.push_back({name, std::move(gain)});
    phase.series.push_back({name, ContinuousPhase(response)});
    coherence.series.push_back({name, std::move(coherent)});
  }
  picture.panels.push_back(std::move(phase));
  picture.panels.push_back(std::move(coherence));
  return picture;
}

void PrintPoint(const FrequencyPoint& point, const std::vector<std::string>& outputs, std::ostream& out) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    out << fmt::format("{:>12.6g} Hz  {}: ", point.frequency, outputs[i]);
    if (std::isnan(point.coherence[i])) {
      out << "no response, the output stays constant; look for a limit or a missing route\n";
      continue;
    }
    out << fmt::format("gain {:.6g} ({:.4g} dB), phase {:.5g} deg, coherence {:.5g}, distortion {:.3g} %{}\n",
                       std::abs(point.gain[i]), GainInDecibels(point.gain[i]),
                       std::arg(point.gain[i]) * 180 / std::numbers::pi, point.coherence[i],
                       100 * point.distortion[i], point.is_settled ? "" : ", not settled");
  }
}

}  // namespace

int RunFrequency(const FrequencyCommandOptions& options, const Registry& registry, std::ostream& out,
                 std::ostream& err) {
  AnalysisInput input;
  FrequencyOptions run{.system = options.system, .input = options.input, .outputs = options.outputs};
  run.simulation.load = options.load;
  run.simulation.is_steady = options.is_steady;
  run.simulation.log = [&err](RunLog::Severity, std::string_view line) { err << line << '\n'; };
  // What is wrong with these has been told; MeasureFrequencies looks at what is left.
  run.from = input.ReadPositive("--from", options.from, "Hz").value_or(1);
  run.to = input.ReadPositive("--to", options.to, "Hz").value_or(run.from);
  run.at = input.ReadOptional("--at", options.at, "s");
  run.points = options.points;
  run.is_multisine = options.is_multisine;
  run.settle = options.settle;
  run.periods = options.periods;
  const QuantityResult amplitude = ParseQuantity(options.amplitude, input.units());
  if (amplitude.value) {
    run.amplitude = amplitude.value->si;
  } else {
    input.Fail("--amplitude", amplitude.fault.ToText());
    run.amplitude = 1;
  }
  if (options.at && options.is_steady)
    input.Fail("--at", "and --steady exclude each other; the steady state is that of the start time");
  const std::optional<PictureFormat> bode = input.ReadPicture("--bode", options.bode);
  if (!options.table.empty() && options.table.extension() != ".csv")
    input.Fail("-o", Quoted(options.table.string()) + " is not a table; name it .csv");
  input.CheckFiles({{"-o", options.table}, {"--bode", options.bode}},
                   InputsOf(options.system, registry, options.load));
  const bool is_wrong = input.diagnostics().has_errors();
  if (is_wrong) run.points = 0;  // nothing is measured, but all faults are found
  try {
    Diagnostics diagnostics;
    const MeasuredResponse measured =
        MeasureFrequencies(run, registry, diagnostics,
                           [&](const FrequencyPoint& point) { PrintPoint(point, options.outputs, out); });
    const std::vector<FrequencyPoint>& points = measured.points;
    for (const Diagnostic& fault : diagnostics.all()) {
      const bool is_ours = is_wrong && fault.path == "--points";
      if (!is_ours) input.diagnostics().Add(fault);
    }
    if (!input.IsGood(err)) return kWrongInput;
    if (!options.table.empty()) {
      SaveFile(options.table, FrequencyTable(points, options.outputs));
      out << options.table.string() << ": " << points.size() << " frequencies\n";
    }
    if (bode) {
      SaveFile(options.bode, RunGnuplot(AxisPictureScript(MeasuredBode(measured, options), *bode)));
      out << options.bode.string() << ": Bode diagram\n";
    }
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  return kDone;
}

void AddFrequencyCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<FrequencyCommandOptions>();
  command.add_option("SYSTEM", options->system, "System file (XML) or Hopsan model (.hmf)")->required();
  AddSystemOptions(command, options->load);
  command
      .add_option("--input", options->input,
                  "Input to excite, or a live parameter; a route to the input is disconnected")
      ->type_name("PATH")
      ->required();
  command.add_option("--output", options->outputs, "Output to measure; may be given several times")
      ->type_name("PATH")
      ->expected(1)
      ->take_all()
      ->required();
  command.add_option("--from", options->from, "Lowest frequency, e.g. '0.1 Hz'")->type_name("F")->required();
  command.add_option("--to", options->to, "Highest frequency")->type_name("F")->required();
  command.add_option("--points", options->points, "Number of frequencies")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--amplitude", options->amplitude, "Amplitude of the sine, in the unit of the input")
      ->type_name("A")
      ->required();
  command.add_option("--at", options->at, "When the excitation begins; without: at StartTime")
      ->type_name("T");
  command.add_flag("--steady", options->is_steady, "Begins at the equilibrium at StartTime");
  command.add_flag("--multisine", options->is_multisine,
                   "Excites all frequencies simultaneously instead of one after the other");
  command.add_option("--settle", options->settle, "Minimum number of periods before the measurement")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--periods", options->periods, "Number of measured periods")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("-o,--output-file", options->table, "Table, in SI (.csv)")->type_name("FILE");
  command.add_option("--bode", options->bode, "Draws the Bode diagram (.svg or .png)")->type_name("FILE");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code = context.LoadPlugins(options->system)
                            ? RunFrequency(*options, context.registry, context.out, context.err)
                            : kWrongInput;
  });
}

}  // namespace davit
