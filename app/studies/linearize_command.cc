#include "app/studies/linearize_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <ostream>
#include <string_view>
#include <utility>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linear_model_mat.h"
#include "analysis/linear/linear_pictures.h"
#include "analysis/linear/linearize.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/pair_analysis.h"
#include "analysis/study/variation.h"
#include "app/check_command.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "app/progress_bar.h"
#include "app/studies/analysis_input.h"
#include "app/studies/linear_model_json.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/xml/schedule_reader.h"
#include "results/gnuplot_process.h"
#include "results/save_file.h"
#include "session/output_paths.h"
#include "session/simulation.h"

namespace davit {
namespace {

constexpr std::size_t kResponsePoints = 600;
constexpr std::size_t kStepPoints = 1000;
constexpr std::size_t kMostPairs = 12;  // of input and output that are printed or drawn
constexpr double kLeastShare = 0.05;    // of a state in a mode that is named
constexpr std::size_t kMostNamedStates = 4;
constexpr int kPadeOfModes = 4;  // where delays are kept but eigenvalues are asked for
constexpr double kRest = 1e-6;   // [1/s] in nominal sizes

/// Of --vary: a path and the values it gets one after the other, as --set takes them and as they are shown.
struct LocusValues {
  Variation variation;
  std::vector<std::string> values, shown;
};

/// What the options say, read.
struct LinearizeInput {
  std::optional<double> at, from, to;
  std::optional<LocusValues> vary = {};
  std::optional<PictureFormat> bode, nyquist, step, poles;
};

LinearizeInput ReadOptions(const LinearizeOptions& options, AnalysisInput& input) {
  LinearizeInput read;
  read.at = input.ReadOptional("--at", options.at, "s");
  read.from = input.ReadPositive("--from", options.from, "Hz");
  read.to = input.ReadPositive("--to", options.to, "Hz");
  if (read.from && read.to && *read.from >= *read.to)
    input.Fail("--from", "is not below --to; give the lower frequency first");
  if (options.at && options.is_steady)
    input.Fail("--at", "and --steady exclude each other; the steady state is that of the start time");
  if (options.pade < 0 || options.pade > kLargestPadeOrder) {
    input.Fail("--pade", fmt::format("{} is not an order; write 1 .. {}, or 0 to keep the delays",
                                     options.pade, kLargestPadeOrder));
  }
  for (const std::filesystem::path& file : options.files) {
    if (file.extension() != ".json" && file.extension() != ".mat")
      input.Fail("-o", Quoted(file.string()) + " is not a file of a linear model; name it .json or .mat");
  }
  read.bode = input.ReadPicture("--bode", options.bode);
  read.nyquist = input.ReadPicture("--nyquist", options.nyquist);
  read.step = input.ReadPicture("--step", options.step);
  read.poles = input.ReadPicture("--poles", options.poles);
  if (!options.vary.empty()) {
    for (const auto& [option, file] :
         {std::pair<std::string_view, std::filesystem::path>("--bode", options.bode),
          {"--nyquist", options.nyquist},
          {"--step", options.step}}) {
      if (!file.empty())
        input.Fail(option, "draws one model, and --vary makes several; leave one of them out");
    }
    for (const std::filesystem::path& file : options.files) {
      if (file.extension() == ".mat")
        input.Fail("-o", Quoted(file.string()) + " holds one model, and --vary makes several; name it .json");
    }
  }
  return read;
}

/// The files that are written; `simulation` may be null.
void CheckFiles(const LinearizeOptions& options, const Simulation* simulation, AnalysisInput& input) {
  std::vector<std::pair<std::string_view, std::filesystem::path>> outputs{{"--bode", options.bode},
                                                                          {"--nyquist", options.nyquist},
                                                                          {"--step", options.step},
                                                                          {"--poles", options.poles}};
  for (const std::filesystem::path& file : options.files) outputs.emplace_back("-o", file);
  input.CheckFiles(outputs,
                   simulation == nullptr ? std::vector{options.system} : InputsOf(simulation->system()));
}

/// As davit sweep reads them; nothing where they are wrong.
std::optional<LocusValues> ReadLocusValues(const std::string& text, System& system,
                                           Diagnostics& diagnostics) {
  std::vector<Variation> read = ReadVariations(system, {{text, OptionPlace("--vary", text)}}, diagnostics);
  if (read.empty() || read.front().values.empty()) return std::nullopt;
  LocusValues locus{.variation = std::move(read.front()), .values = {}, .shown = {}};
  const VariedItem& item = locus.variation.item;
  for (const CaseValue& value : locus.variation.values) {
    locus.values.push_back(ToText(value, item));
    locus.shown.push_back(item.unit.empty() ? locus.values.back() : locus.values.back() + " " + item.unit);
  }
  return locus;
}

/// A system at its operating point.
std::unique_ptr<Simulation> LoadAt(const LinearizeOptions& options, const LoadOptions& load,
                                   const Registry& registry, std::ostream& err) {
  SimulationOptions simulation{.load = load, .is_steady = options.is_steady};
  simulation.log = [&err](RunLog::Severity, std::string_view line) { err << line << '\n'; };
  return LoadSimulation(options.system, registry, simulation, err);
}

void RunTo(Simulation& simulation, std::optional<double> at) {
  simulation.Initialize();
  if (!at || *at <= simulation.time()) return;
  if (simulation.manager().FaultOfTime(*at).empty()) {
    simulation.AdvanceTo(*at);
  } else {
    simulation.RunUntil(*at);
  }
}

std::string ComplexText(std::complex<double> value) {
  if (value.imag() == 0) return fmt::format("{:.6g}", value.real());
  return fmt::format("{:.6g} +- {:.6g}j", value.real(), std::abs(value.imag()));
}

std::string NumberOrDash(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string("-");
}

std::string StatesOf(const LinearMode& mode, const LinearModel& model) {
  std::string text;
  for (std::size_t i = 0; i < std::min(mode.states.size(), kMostNamedStates); ++i) {
    const LinearMode::Share& share = mode.states[i];
    if (share.participation < kLeastShare && i > 0) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", model.states[share.state].name,
                        100 * share.participation);
  }
  return text;
}

void PrintColumns(const std::vector<std::array<std::string, 5>>& rows, std::ostream& out) {
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line += row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void PrintModes(const Linearization& linearization, const LinearModel& closed,
                const std::vector<LinearMode>& modes, std::ostream& out) {
  const LinearModel& model = linearization.model;
  out << fmt::format("at {:.6g} s: {}, {}, {}", linearization.time, Counted(model.states.size(), "state"),
                     Counted(model.inputs.size(), "input"), Counted(model.outputs.size(), "output"));
  if (!model.delays.empty()) out << ", " << Counted(model.delays.size(), "delay");
  if (linearization.largest_rate > kRest) {
    out << fmt::format("; not at rest: {} changes by {:.3g} of its size a second", linearization.fastest,
                       linearization.largest_rate);
  }
  out << '\n';
  std::vector<std::array<std::string, 5>> rows{
      {"eigenvalue [1/s]", "frequency [Hz]", "damping", "time constant [s]", "states"}};
  for (const LinearMode& mode : modes) {
    rows.push_back({ComplexText(mode.eigenvalue), NumberOrDash(mode.frequency()),
                    NumberOrDash(mode.damping()), NumberOrDash(mode.time_constant()),
                    StatesOf(mode, closed)});
  }
  PrintColumns(rows, out);
  for (const LinearDelay& delay : model.delays)
    out << fmt::format("delay {}: {:.6g} s\n", delay.name, delay.time);
}

std::string FrequencyText(double frequency) {
  return std::isinf(frequency) ? "high frequencies" : fmt::format("{:.6g} Hz", frequency);
}

void PrintPair(const PairAnalysis& analysis, std::ostream& out) {
  out << analysis.pair.name << ": static gain " << NumberOrDash(analysis.static_gain);
  if (analysis.zeros) {
    std::string text;
    for (const std::complex<double>& zero : *analysis.zeros) {
      if (zero.imag() >= 0) text += (text.empty() ? "" : ", ") + ComplexText(zero);
    }
    out << "; zeros " << (text.empty() ? "none" : text);
  }
  const StabilityMargins margins = analysis.margins.value_or(StabilityMargins{});
  if (margins.gain) {
    out << fmt::format("; gain margin {:.6g} ({:.4g} dB) at {}", *margins.gain,
                       20 * std::log10(*margins.gain), FrequencyText(*margins.gain_frequency));
  }
  if (margins.phase)
    out << fmt::format("; phase margin {:.6g} deg at {:.6g} Hz", *margins.phase, *margins.phase_frequency);
  out << '\n';
}

/// The system as it is linearised at its operating point, with what is printed of it.
struct LinearizedSystem {
  Linearization linearization;
  AnalysedModel analysed;
  std::vector<LinearPair> pairs;         ///< all
  std::vector<PairAnalysis> analyses{};  ///< none, where they are too many

  LinearizedSystem(Linearization of, const LinearizeOptions& options)
      : linearization(std::move(of)),
        analysed(linearization.model,
                 CloseDelays(linearization.model, options.pade > 0 ? options.pade : kPadeOfModes)),
        pairs(analysed.Pairs()) {}

  WrittenModel Written(const LinearizeOptions& options) const {
    WrittenModel written{.linearization = linearization,
                         .modes = analysed.modes,
                         .closed = analysed.closed,
                         .pairs = analyses};
    if (options.pade > 0) written.linearization.model = analysed.closed;
    return written;
  }
};

/// Linearises and prints modes and pairs.
LinearizedSystem LinearizeAndPrint(const LinearizeOptions& options, Simulation& simulation,
                                   const LinearEnds& ends, std::ostream& out, std::ostream& err) {
  ProgressBar progress(err, isatty(STDERR_FILENO) == 1);
  progress.Show(0, "linear model");
  LinearizedSystem system(Linearize(simulation.system(), ends), options);
  progress.Clear();
  const LinearModel& model = system.linearization.model;
  PrintModes(system.linearization, system.analysed.closed, system.analysed.modes, out);
  if (!model.delays.empty() && options.pade == 0) {
    out << fmt::format("eigenvalues with a Pade approximant of order {} for each delay; see --pade\n",
                       kPadeOfModes);
  }
  for (const std::string& note : system.linearization.notes) err << "warning: " << note << '\n';
  const std::size_t left_out = model.inputs.size() * model.outputs.size() - system.pairs.size();
  if (left_out > 0)
    out << fmt::format("{} of input and output omitted: their gain is 0 at all frequencies\n",
                       Counted(left_out, "pair"));
  if (system.pairs.size() > kMostPairs) return system;
  const std::size_t count = system.pairs.size();
  for (std::size_t i = 0; i < count; ++i) {
    progress.Show(static_cast<double>(i) / static_cast<double>(count),
                  fmt::format("zeros and margins of {} of {}", i + 1, Counted(count, "pair")));
    system.analyses.push_back(
        system.analysed.Analyse(system.pairs[i], !options.skips_zeros, !options.skips_margins));
    progress.Clear();
    PrintPair(system.analyses.back(), out);
  }
  return system;
}

AxisPicture BodeOf(const LinearModel& units, const ReducedModel& model, const std::vector<LinearPair>& pairs,
                   const std::vector<double>& frequencies, const std::string& title) {
  AxisPicture picture{.title = title, .x_label = "Frequency [Hz]", .x = frequencies, .is_log_x = true};
  AxisPicture::PanelOf phase{.label = "Phase [deg]"};
  for (const LinearPair& pair : pairs) {
    const std::string unit = UnitOfGain(units.outputs[pair.output].unit, units.inputs[pair.input].unit);
    const auto response = ResponseOf(model, pair.input, pair.output, frequencies);
    std::vector<double> gain;
    gain.reserve(response.size());
    for (const std::complex<double>& value : response) gain.push_back(20 * std::log10(std::abs(value)));
    picture.PanelWith(GainLabel(unit)).series.push_back({pair.name, std::move(gain)});
    phase.series.push_back({pair.name, ContinuousPhase(response)});
  }
  picture.panels.push_back(std::move(phase));
  return picture;
}

PlanePicture NyquistOf(const ReducedModel& model, const std::vector<LinearPair>& pairs,
                       const std::vector<double>& frequencies, const std::string& title) {
  PlanePicture picture{
      .title = title, .x_label = "Real part", .y_label = "Imaginary part", .marks_minus_one = true};
  for (const LinearPair& pair : pairs) {
    auto points = NyquistCurve(model, pair.input, pair.output, frequencies);
    for (std::size_t i = points.size(); i-- > 0;) points.push_back(std::conj(points[i]));
    picture.series.push_back({pair.name, std::move(points), PlanePicture::Style::kLine});
  }
  return picture;
}

AxisPicture StepOf(const LinearModel& closed, const std::vector<LinearMode>& modes,
                   const std::vector<LinearPair>& pairs, const std::string& title) {
  AxisPicture picture{.title = title, .x_label = "Time [s]"};
  const double duration = ChooseDuration(modes);
  for (const LinearPair& pair : pairs) {
    StepResponse response = ComputeStep(closed, pair.input, duration, kStepPoints);
    picture.x = response.time;
    const std::string& unit = closed.outputs[pair.output].unit;
    picture.PanelWith(unit.empty() ? "Step response" : fmt::format("Step response [{}]", unit))
        .series.push_back({pair.name, std::move(response.outputs[pair.output])});
  }
  return picture;
}

PlanePicture PolesOf(const LinearizedSystem& system, const std::string& title) {
  PlanePicture picture{.title = title, .x_label = "Real part [1/s]", .y_label = "Imaginary part [1/s]"};
  picture.series.push_back({"poles", EigenvaluesOf(system.analysed.modes), PlanePicture::Style::kCross});
  for (const PairAnalysis& analysis : system.analyses) {
    if (!analysis.zeros || analysis.zeros->empty()) continue;
    picture.series.push_back({"zeros " + analysis.pair.name, *analysis.zeros, PlanePicture::Style::kCircle});
  }
  return picture;
}

/// The system, for each value, with its eigenvalues.
int RunLocus(const LinearizeOptions& options, const LinearizeInput& input, const Registry& registry,
             std::ostream& out, std::ostream& err) {
  const VariedItem& item = input.vary->variation.item;
  PlanePicture picture{.title = options.system.stem().string() + ": poles over " + item.path,
                       .x_label = "Real part [1/s]",
                       .y_label = "Imaginary part [1/s]"};
  int exit_code = kDone;
  std::vector<std::complex<double>> all;
  std::vector<FamilyMember> family;
  for (std::size_t k = 0; k < input.vary->values.size(); ++k) {
    const std::string& value = input.vary->shown[k];
    LoadOptions load = options.load;
    load.set.push_back(item.path + '=' + input.vary->values[k]);
    const std::unique_ptr<Simulation> simulation = LoadAt(options, load, registry, err);
    if (simulation == nullptr) return kWrongInput;
    FamilyMember& member = family.emplace_back(FamilyMember{.value = input.vary->variation.values[k]});
    try {
      RunTo(*simulation, input.at);
      Diagnostics diagnostics;
      const LinearEnds ends =
          FindLinearEnds(simulation->system(), options.inputs, options.outputs, diagnostics);
      if (diagnostics.has_errors()) {
        PrintDiagnostics(diagnostics, err);
        return kWrongInput;
      }
      out << item.path << " = " << value << '\n';
      const LinearizedSystem system = LinearizeAndPrint(options, *simulation, ends, out, err);
      const std::vector<std::complex<double>> values = EigenvaluesOf(system.analysed.modes);
      all.insert(all.end(), values.begin(), values.end());
      if (k == 0 || k + 1 == input.vary->values.size())
        picture.series.push_back({item.path + " = " + value, values, PlanePicture::Style::kCross});
      if (!options.files.empty()) member.model = system.Written(options);
    } catch (const std::exception& failure) {
      member.message = Explain(failure);
      err << fmt::format("error: {} = {}: {}\n", item.path, value, member.message);
      exit_code = kRunFailed;
    }
  }
  for (const std::filesystem::path& file : options.files) {
    SaveFile(file, LinearFamilyJson(item, family));
    out << fmt::format("{}: {}\n", file.string(), Counted(family.size(), "linear model"));
  }
  picture.series.insert(picture.series.begin(),
                        {"values in between", std::move(all), PlanePicture::Style::kSmallCross});
  if (input.poles) {
    SaveFile(options.poles, RunGnuplot(PlanePictureScript(picture, *input.poles)));
    out << options.poles.string() << ": poles\n";
  }
  return exit_code;
}

void SaveAll(const LinearizeOptions& options, const LinearizeInput& input, const LinearizedSystem& system,
             const std::vector<LinearPair>& pairs, const std::vector<double>& frequencies,
             std::ostream& out) {
  const std::string title = options.system.stem().string();
  const AnalysedModel& analysed = system.analysed;
  const WrittenModel written = system.Written(options);
  for (const std::filesystem::path& file : options.files) {
    if (file.extension() == ".json") {
      SaveFile(file, LinearModelJson(written));
    } else {
      SaveLinearModelMat(written.linearization, written.modes, file);
    }
    out << file.string() << ": the linear model\n";
  }
  const auto draw = [&](const std::optional<PictureFormat>& format, const std::filesystem::path& file,
                        const auto& script, std::string_view what) {
    if (!format) return;
    SaveFile(file, RunGnuplot(script(*format)));
    out << file.string() << ": " << what << '\n';
  };
  draw(
      input.bode, options.bode,
      [&](PictureFormat f) {
        return AxisPictureScript(
            BodeOf(system.linearization.model, analysed.reduced, pairs, frequencies, title), f);
      },
      "Bode diagram");
  draw(
      input.nyquist, options.nyquist,
      [&](PictureFormat f) {
        return PlanePictureScript(NyquistOf(analysed.reduced, pairs, frequencies, title), f);
      },
      "Nyquist diagram");
  draw(
      input.step, options.step,
      [&](PictureFormat f) {
        return AxisPictureScript(StepOf(analysed.closed, analysed.modes, pairs, title), f);
      },
      "step responses");
  draw(
      input.poles, options.poles,
      [&](PictureFormat f) { return PlanePictureScript(PolesOf(system, title), f); }, "poles and zeros");
}

int LinearizeOnce(const LinearizeOptions& options, const LinearizeInput& input, Simulation& simulation,
                  const LinearEnds& ends, std::ostream& out, std::ostream& err) {
  RunTo(simulation, input.at);
  const LinearizedSystem system = LinearizeAndPrint(options, simulation, ends, out, err);
  const bool needs_pairs = input.bode || input.nyquist || input.step;
  std::vector<LinearPair> pairs = system.pairs;
  if (pairs.size() > kMostPairs) {
    err << fmt::format("warning: of {} pairs of input and output {} are shown; name --inputs and --outputs\n",
                       pairs.size(), needs_pairs ? fmt::format("the first {}", kMostPairs) : "none");
    pairs.resize(needs_pairs ? kMostPairs : 0);
  }
  const std::vector<LinearMode>& modes = system.analysed.own_modes;
  FrequencyRange range = ChooseRange(system.linearization.model, modes);
  if (input.from) range.low = *input.from;
  if (input.to) range.high = *input.to;
  if (!(range.low < range.high)) range.high = 100 * range.low;
  if (needs_pairs && pairs.empty()) {
    err << "error: there is no pair of input and output to draw; name --inputs and --outputs\n";
    return kWrongInput;
  }
  SaveAll(options, input, system, pairs, ResponseFrequencies(range, kResponsePoints, modes), out);
  return kDone;
}

}  // namespace

int RunLinearize(const LinearizeOptions& options, const Registry& registry, std::ostream& out,
                 std::ostream& err) {
  AnalysisInput faults;
  LinearizeInput input = ReadOptions(options, faults);
  const std::unique_ptr<Simulation> simulation = LoadAt(options, options.load, registry, err);
  CheckFiles(options, simulation.get(), faults);
  LinearEnds ends;
  if (simulation != nullptr) {
    if (!options.vary.empty())
      input.vary = ReadLocusValues(options.vary, simulation->system(), faults.diagnostics());
    ends = FindLinearEnds(simulation->system(), options.inputs, options.outputs, faults.diagnostics());
    if (input.at && !(*input.at >= simulation->start_time() && *input.at <= simulation->stop_time())) {
      faults.Fail("--at", fmt::format("{} s is not within the run, {} s to {} s", *input.at,
                                      simulation->start_time(), simulation->stop_time()));
    }
  }
  if (!faults.IsGood(err) || simulation == nullptr) return kWrongInput;
  try {
    if (input.vary) return RunLocus(options, input, registry, out, err);
    return LinearizeOnce(options, input, *simulation, ends, out, err);
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
}

void AddLinearizeCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<LinearizeOptions>();
  command.add_option("SYSTEM", options->system, "System file (XML) or Hopsan model (.hmf)")->required();
  AddSystemOptions(command, options->load);
  command.add_option("--at", options->at, "Runs to this time first; without: the start values")
      ->type_name("T");
  command.add_flag("--steady", options->is_steady, "Searches for the equilibrium at StartTime first");
  command
      .add_option("--inputs", options->inputs,
                  "Paths and globs, instead of all inputs without a route; the route of an input "
                  "is disconnected; live parameters are allowed")
      ->type_name("GLOBS")
      ->expected(1)
      ->take_all();
  command.add_option("--outputs", options->outputs, "Paths and globs, instead of <Record>")
      ->type_name("GLOBS")
      ->expected(1)
      ->take_all();
  command
      .add_option("-o,--output", options->files,
                  "Linear model in SI (.json or .mat); may be given several times")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command
      .add_option("--pade", options->pade,
                  "Replaces the delays of lines by Pade approximants of this order; 0 keeps them")
      ->type_name("N");
  command.add_option("--from", options->from, "Lowest frequency of the diagrams")->type_name("F");
  command.add_option("--to", options->to, "Highest frequency of the diagrams")->type_name("F");
  command.add_option("--bode", options->bode, "Draws the Bode diagram (.svg or .png)")->type_name("FILE");
  command.add_option("--nyquist", options->nyquist, "Draws the Nyquist diagram")->type_name("FILE");
  command.add_option("--step", options->step, "Draws the step responses")->type_name("FILE");
  command.add_option("--poles", options->poles, "Draws poles and zeros, with --vary the root locus")
      ->type_name("FILE");
  command
      .add_option("--vary", options->vary,
                  "PATH=LOW:STEP:HIGH or PATH=A,B,C: linearises with each of these values (root locus)")
      ->type_name("PATH=VALUES");
  command.add_flag("--no-zeros", options->skips_zeros,
                   "Leaves out the zeros of each pair of input and output, which take long with many states");
  command.add_flag("--no-margins", options->skips_margins, "Leaves out gain and phase margins");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code = context.LoadPlugins(options->system)
                            ? RunLinearize(*options, context.registry, context.out, context.err)
                            : kWrongInput;
  });
}

}  // namespace davit
