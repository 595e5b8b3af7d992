#include "analysis/studies/linearization_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string_view>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linear_model_mat.h"
#include "analysis/linear/linear_pictures.h"
#include "analysis/study/study_table.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "results/csv_text.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kResponsePoints = 600;
constexpr std::size_t kStepPoints = 1000;
constexpr double kLeastShare = 0.05;  // of a state in a mode that is named
constexpr std::size_t kMostNamedStates = 4;

void RunToPoint(Simulation& simulation, std::optional<double> at, const std::stop_token& stop) {
  simulation.Initialize();
  if (!at || *at <= simulation.time()) return;
  const std::stop_callback give_up(stop, [&simulation] { simulation.RequestStopInside(); });
  if (simulation.manager().FaultOfTime(*at).empty()) {
    simulation.AdvanceTo(*at);
  } else {
    simulation.RunUntil(*at);
  }
}

std::string NumberCell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

double Decibels(std::complex<double> gain) { return 20 * std::log10(std::abs(gain)); }

AxisPicture BodeOf(const LinearModel& units, const ReducedModel& model, const std::vector<LinearPair>& pairs,
                   const std::vector<double>& frequencies, const std::string& title) {
  AxisPicture picture{.title = title, .x_label = "Frequency [Hz]", .x = frequencies, .is_log_x = true};
  AxisPicture::PanelOf phase{.label = "Phase [deg]"};
  for (const LinearPair& pair : pairs) {
    const std::string unit = UnitOfGain(units.outputs[pair.output].unit, units.inputs[pair.input].unit);
    const auto response = ResponseOf(model, pair.input, pair.output, frequencies);
    std::vector<double> gain;
    gain.reserve(response.size());
    for (const std::complex<double>& value : response) gain.push_back(Decibels(value));
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

PlanePicture MakePlane(const std::string& title) {
  return {.title = title, .x_label = "Real part [1/s]", .y_label = "Imaginary part [1/s]"};
}

PlanePicture PolesOf(const LinearizedCase& one, const std::string& title) {
  PlanePicture picture = MakePlane(title);
  picture.series.push_back({"poles", EigenvaluesOf(one.modes), PlanePicture::Style::kCross});
  for (const PairAnalysis& analysis : one.analyses) {
    if (!analysis.zeros || analysis.zeros->empty()) continue;
    picture.series.push_back({"zeros " + analysis.pair.name, *analysis.zeros, PlanePicture::Style::kCircle});
  }
  return picture;
}

void WriteResponse(const fs::path& file, const LinearModel& units, const ReducedModel& model,
                   const std::vector<LinearPair>& pairs, const std::vector<double>& frequencies) {
  std::vector<StudyColumn> columns{{"frequency", "Hz"}};
  std::vector<std::vector<std::complex<double>>> responses;
  std::vector<std::vector<double>> phases;
  for (const LinearPair& pair : pairs) {
    columns.push_back(
        {pair.name + " gain", UnitOfGain(units.outputs[pair.output].unit, units.inputs[pair.input].unit)});
    columns.push_back({pair.name + " phase", "deg"});
    responses.push_back(ResponseOf(model, pair.input, pair.output, frequencies));
    phases.push_back(ContinuousPhase(responses.back()));
  }
  std::string text = StudyHead(columns) + '\n';
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    text += NumberCell(frequencies[k]);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      text += ',' + NumberCell(std::abs(responses[i][k])) + ',' + NumberCell(phases[i][k]);
    text += '\n';
  }
  WriteText(file, text);
  WriteStudyUnits(file, columns);
}

/// What only files of models need.
void DropMatrices(LinearModel& model) {
  for (Eigen::MatrixXd* matrix : {&model.A, &model.B, &model.C, &model.D, &model.B_delay, &model.D_delay,
                                  &model.C_delay, &model.D_input, &model.D_wave})
    matrix->resize(0, 0);
}

}  // namespace

std::string StatesOfMode(const LinearMode& mode, const LinearModel& model) {
  std::string text;
  for (std::size_t i = 0; i < std::min(mode.states.size(), kMostNamedStates); ++i) {
    const LinearMode::Share& share = mode.states[i];
    if (share.participation < kLeastShare && i > 0) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", model.states[share.state].name,
                        100 * share.participation);
  }
  return text;
}

const StudyKind& LinearizationStudy::Kind() {
  using O = LinearizationOptions;
  static const StudyKind kKind = [] {
    StudyKind kind{kLinearizeName, {}, []() -> std::unique_ptr<Study> {
                     return std::make_unique<LinearizationStudy>();
                   }};
    kind.options = {
        Row<O>(&O::inputs,
               {.name = "inputs",
                .text = "Path or glob, instead of all inputs without a route; the route of an input is "
                        "disconnected; live parameters are allowed. May be given several times",
                .element = "Input",
                .pattern = "path"}),
        Row<O>(&O::outputs, {.name = "outputs",
                             .text = "Path or glob, instead of <Record>. May be given several times",
                             .element = "Output",
                             .pattern = "path"}),
        Row<O>(&O::vary, {.name = "vary",
                          .text = "PATH=LOW:STEP:HIGH or PATH=A,B,C: linearises with each of these values "
                                  "(root locus)",
                          .element = "Vary",
                          .pattern = "path=values"}),
        Row<O>(&O::at,
               {.name = "at", .text = "Runs to this time first; default: the start values", .form = "T"}),
        Row<O>([](O& options) -> bool& { return options.simulation.is_steady; },
               {.name = "steady", .text = "Searches for the equilibrium at StartTime first"}),
        Row<O>(&O::files, {.name = "output",
                           .text = "FILE.csv: the eigenvalues with frequency and damping; FILE.json or "
                                   "FILE.mat: the linear model in SI. May be given several times",
                           .form = "FILE",
                           .letter = 'o',
                           .usual_file = ".csv"}),
        Row<O>(&O::pade, {.name = "pade",
                          .text = "Replaces the delays of lines by Pade approximants of this order; 0 keeps "
                                  "them",
                          .form = "N",
                          .range = {0, kLargestPadeOrder}}),
        Row<O>(&O::from, {.name = "from", .text = "Lowest frequency of the diagrams", .form = "F"}),
        Row<O>(&O::to, {.name = "to", .text = "Highest frequency of the diagrams", .form = "F"}),
        Row<O>(&O::response, {.name = "response",
                              .text = "Gain and phase of each pair of input and output over the frequency "
                                      "(.csv)",
                              .form = "FILE",
                              .usual_file = "_response.csv"}),
        Row<O>(&O::bode, {.name = "bode",
                          .text = "Draws the Bode diagram (.svg or .png)",
                          .form = "FILE",
                          .usual_file = "_bode.svg"}),
        Row<O>(&O::nyquist, {.name = "nyquist", .text = "Draws the Nyquist diagram", .form = "FILE"}),
        Row<O>(&O::step, {.name = "step", .text = "Draws the step responses", .form = "FILE"}),
        Row<O>(&O::poles, {.name = "poles",
                           .text = "Draws poles and zeros, with `vary` the root locus",
                           .form = "FILE",
                           .usual_file = "_poles.svg"}),
        Row<O>(&O::skips_zeros, {.name = "no_zeros",
                                 .text = "Leaves out the zeros of each pair of input and output, which take "
                                         "long with many states"}),
        Row<O>(&O::skips_margins, {.name = "no_margins", .text = "Leaves out gain and phase margins"})};
    std::ranges::move(SharedStudyOptions({"set", "level", "summary"}), std::back_inserter(kind.options));
    return kind;
  }();
  return kKind;
}

void LinearizationStudy::WriteNoFiles() {
  options.files.clear();
  options.response = options.bode = options.nyquist = options.step = options.poles = std::nullopt;
}

void LinearizationStudy::CheckOptions() {
  at_ = ReadQuantity(options.at, "s");
  from_ = ReadPositive(options.from, "Hz");
  to_ = ReadPositive(options.to, "Hz");
  if (from_ && to_ && *from_ >= *to_)
    diagnostics().Error(options.from->place, {},
                        fmt::format("is not below {}; give the lower frequency first", Spell("to")));
  if (options.at && options.simulation.is_steady)
    diagnostics().Error(
        options.at->place, {},
        fmt::format("{} and {} exclude each other; the steady state is that of the start time", Spell("at"),
                    Spell("steady")));
  if (at_ && !(*at_ >= simulation_->start_time() && *at_ <= simulation_->stop_time()))
    diagnostics().Error(options.at->place, {},
                        fmt::format("{} s is not within the run, {} s to {} s; give a time of the run", *at_,
                                    simulation_->start_time(), simulation_->stop_time()));
  Diagnostics found;
  const LinearEnds ends = FindLinearEnds(tree(), options.inputs, options.outputs, found);
  AddFaultsOfOptions(found);
  if (!options.vary.empty()) CheckLocus();
  CheckFiles();
  const bool needs_pairs = options.response || options.bode || options.nyquist || options.step;
  if (needs_pairs && !found.has_errors() && (ends.inputs.empty() || ends.outputs.empty()))
    Fail(fmt::format("there is no {} of which a response could be drawn; give {}",
                     ends.inputs.empty() ? "input" : "output",
                     ends.inputs.empty() ? Spell("inputs", "load.weight") : Spell("outputs", "load.x")));
}

void LinearizationStudy::CheckLocus() {
  if (options.vary.size() > 1)
    diagnostics().Error(options.vary[1].place, {}, "a root locus has one parameter; leave out the others");
  std::vector<Variation> read = ReadVariations(tree(), options.vary, diagnostics());
  if (!read.empty()) {
    result_.varied = std::move(read.front().item);
    values_ = std::move(read.front().values);
  }
  const auto refuse = [&](std::string_view option, const std::optional<fs::path>& file) {
    if (!file) return;
    FailFile(option, *file,
             fmt::format("{} shows one model, and {} makes several; leave one of them out", Spell(option),
                         Spell("vary")));
  };
  refuse("response", options.response);
  refuse("bode", options.bode);
  refuse("nyquist", options.nyquist);
  refuse("step", options.step);
  for (const fs::path& file : options.files) {
    if (file.extension() == ".mat")
      FailFile(
          "output", file,
          fmt::format("a .mat file holds one model, and {} makes several; name it .json", Spell("vary")));
  }
}

void LinearizationStudy::CheckFiles() {
  for (const fs::path& file : options.files) {
    AddOutput("output", file, file);
    const std::string ending = file.extension().string();
    if (ending != ".json" && ending != ".mat" && ending != ".csv")
      FailFile("output", file,
               Quoted(file.string()) + " is not a file of a linear model; name it .csv, .json or .mat");
  }
  if (options.response) AddTable("response", *options.response);
  if (options.bode) AddPicture("bode", *options.bode);
  if (options.nyquist) AddPicture("nyquist", *options.nyquist);
  if (options.step) AddPicture("step", *options.step);
  if (options.poles) AddPicture("poles", *options.poles);
  CheckOutputs();
}

AnalysedModel LinearizationStudy::LinearizeCase(Simulation& simulation, LinearizedCase& one,
                                                const StudyCalls& calls) {
  has_run_ = true;
  RunToPoint(simulation, at_, calls.stop);
  if (calls.stop.stop_requested()) throw std::runtime_error("interrupted");
  Diagnostics found;
  const LinearEnds ends = FindLinearEnds(simulation.system(), options.inputs, options.outputs, found);
  if (found.has_errors()) throw std::runtime_error(ToText(found));
  one.linearization = Linearize(simulation.system(), ends);
  const LinearModel& model = one.linearization->model;
  const int order = options.pade > 0 ? static_cast<int>(options.pade) : kPadeOfModes;
  AnalysedModel analysed(model, CloseDelays(model, order));
  one.closed = analysed.closed;
  one.modes = analysed.modes;
  one.pairs = analysed.Pairs();
  return analysed;
}

void LinearizationStudy::AnalysePairs(const AnalysedModel& analysed, LinearizedCase& one,
                                      const StudyCalls& calls) {
  const std::size_t count = one.pairs.size();
  if (count > kMostPairs) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (calls.stop.stop_requested()) throw std::runtime_error("interrupted");
    if (!result_.varied)
      calls.Show(i, count, fmt::format("zeros and margins of {} of {}", i + 1, Counted(count, "pair")));
    one.analyses.push_back(analysed.Analyse(one.pairs[i], !options.skips_zeros, !options.skips_margins));
  }
}

void LinearizationStudy::Execute(const StudyCalls& calls) {
  if (result_.varied) return RunLocus(calls);
  calls.Show(0, 1, "linear model");
  LinearizedCase& one = result_.cases.emplace_back();
  const AnalysedModel analysed = LinearizeCase(*simulation_, one, calls);
  AnalysePairs(analysed, one, calls);
  for (const std::string& note : one.linearization->notes) warnings_.push_back("warning: " + note);
  has_result_ = true;
  WriteOne(analysed);
  calls.Show(1, 1);
}

/// The system, for each value, with its eigenvalues.
void LinearizationStudy::RunLocus(const StudyCalls& calls) {
  const VariedItem& item = *result_.varied;
  const bool keeps_matrices =
      std::ranges::any_of(options.files, [](const fs::path& file) { return file.extension() == ".json"; });
  for (std::size_t k = 0; k < values_.size(); ++k) {
    calls.Show(k, values_.size());
    const std::string value = davit::ToText(values_[k], item);
    LinearizedCase one{.value = values_[k], .shown = item.unit.empty() ? value : value + " " + item.unit};
    SimulationOptions simulation = setup_.options;
    simulation.load.set.push_back(item.path + '=' + value);
    try {
      const std::unique_ptr<Simulation> loaded = LoadSystemOf(setup_, simulation, registry()).Take();
      AnalysePairs(LinearizeCase(*loaded, one, calls), one, calls);
      for (const std::string& note : one.linearization->notes)
        warnings_.push_back(fmt::format("warning: {} = {}: {}", item.path, one.shown, note));
      if (!keeps_matrices) {
        DropMatrices(one.linearization->model);
        DropMatrices(one.closed);
      }
    } catch (const std::exception& failure) {
      if (calls.stop.stop_requested()) break;
      one.linearization.reset();
      one.message = Explain(failure);
    }
    result_.cases.push_back(std::move(one));
  }
  result_.is_complete = result_.cases.size() == values_.size();
  if (result_.cases.empty()) throw std::runtime_error("interrupted");
  has_result_ = true;
  WriteLocus();
  calls.Show(result_.cases.size(), values_.size());
}

WrittenModel LinearizationStudy::Written(const LinearizedCase& one) const {
  WrittenModel written{
      .linearization = *one.linearization, .modes = one.modes, .closed = one.closed, .pairs = one.analyses};
  if (options.pade > 0) written.linearization.model = one.closed;
  return written;
}

void LinearizationStudy::WriteOne(const AnalysedModel& analysed) {
  const LinearizedCase& one = result_.cases.front();
  const LinearModel& model = one.linearization->model;
  for (const fs::path& file : options.files) {
    if (file.extension() == ".csv") {
      WriteModes(file);
      continue;
    }
    const WrittenModel written = Written(one);
    if (file.extension() == ".json") {
      WriteText(file, LinearModelJson(written));
    } else {
      SaveLinearModelMat(written.linearization, written.modes, file);
    }
    Note(file, "the linear model");
  }
  const std::string title = TitleOfPictures();
  if (options.poles) {
    WritePicture(*options.poles, PlanePictureScript(PolesOf(one, title), FormatOf(*options.poles)));
    Note(*options.poles, "poles and zeros");
  }
  const bool needs_pairs = options.response || options.bode || options.nyquist || options.step;
  std::vector<LinearPair> pairs = one.pairs;
  if (pairs.size() > kMostPairs) {
    warnings_.push_back(fmt::format(
        "warning: of {} pairs of input and output {} are shown; name {} and {}", pairs.size(),
        needs_pairs ? fmt::format("the first {}", kMostPairs) : "none", Spell("inputs"), Spell("outputs")));
    pairs.resize(kMostPairs);
  }
  if (!needs_pairs) return;
  if (pairs.empty())
    throw std::runtime_error(
        fmt::format("no output depends on an input, so there is no response to draw; name other {} and {}",
                    Spell("inputs"), Spell("outputs")));
  FrequencyRange range = ChooseRange(model, analysed.own_modes);
  if (from_) range.low = *from_;
  if (to_) range.high = *to_;
  if (!(range.low < range.high)) range.high = 100 * range.low;
  const std::vector<double> frequencies = ResponseFrequencies(range, kResponsePoints, analysed.own_modes);
  if (options.response) {
    WriteResponse(*options.response, model, analysed.reduced, pairs, frequencies);
    Note(*options.response, "gain and phase");
  }
  if (options.bode) {
    WritePicture(*options.bode, AxisPictureScript(BodeOf(model, analysed.reduced, pairs, frequencies, title),
                                                  FormatOf(*options.bode)));
    Note(*options.bode, "Bode diagram");
  }
  if (options.nyquist) {
    WritePicture(*options.nyquist, PlanePictureScript(NyquistOf(analysed.reduced, pairs, frequencies, title),
                                                      FormatOf(*options.nyquist)));
    Note(*options.nyquist, "Nyquist diagram");
  }
  if (options.step) {
    WritePicture(*options.step, AxisPictureScript(StepOf(analysed.closed, analysed.modes, pairs, title),
                                                  FormatOf(*options.step)));
    Note(*options.step, "step responses");
  }
}

void LinearizationStudy::WriteLocus() {
  const VariedItem& item = *result_.varied;
  for (const fs::path& file : options.files) {
    if (file.extension() == ".csv") {
      WriteModes(file);
      continue;
    }
    std::vector<FamilyMember> family;
    family.reserve(result_.cases.size());
    for (const LinearizedCase& one : result_.cases) {
      family.push_back({.value = one.value,
                        .model = one.linearization ? std::optional(Written(one)) : std::nullopt,
                        .message = one.message});
    }
    WriteText(file, LinearFamilyJson(item, family));
    Note(file, Counted(family.size(), "linear model"));
  }
  if (!options.poles) return;
  PlanePicture picture = MakePlane(fmt::format("{}: poles over {}", TitleOfPictures(), item.path));
  picture.series.push_back({"values in between", {}, PlanePicture::Style::kSmallCross});
  for (const LinearizedCase& one : result_.cases) {
    if (!one.linearization) continue;
    const std::vector<std::complex<double>> values = EigenvaluesOf(one.modes);
    std::ranges::copy(values, std::back_inserter(picture.series.front().points));
    if (&one == &result_.cases.front() || &one == &result_.cases.back())
      picture.series.push_back({item.path + " = " + one.shown, values, PlanePicture::Style::kCross});
  }
  WritePicture(*options.poles, PlanePictureScript(picture, FormatOf(*options.poles)));
  Note(*options.poles, "poles");
}

/// A row for each mode, with a parameter that is varied for each of its values.
void LinearizationStudy::WriteModes(const fs::path& file) {
  std::vector<StudyColumn> columns{{"real", "1/s"}, {"imaginary", "1/s"},   {"frequency", "Hz"},
                                   {"damping", ""}, {"time_constant", "s"}, {"states", "", false}};
  if (result_.varied) columns.insert(columns.begin(), {result_.varied->path, result_.varied->unit});
  std::string text = StudyHead(columns) + '\n';
  for (const LinearizedCase& one : result_.cases) {
    for (const LinearMode& mode : one.modes) {
      if (result_.varied) text += CsvCell(davit::ToText(one.value, *result_.varied)) + ',';
      text += fmt::format("{},{},{},{},{},{}\n", NumberCell(mode.eigenvalue.real()),
                          NumberCell(mode.eigenvalue.imag()), NumberCell(mode.frequency()),
                          NumberCell(mode.damping()), NumberCell(mode.time_constant()),
                          CsvCell(StatesOfMode(mode, one.closed)));
    }
  }
  WriteText(file, text);
  WriteStudyUnits(file, columns);
  Note(file, "eigenvalues");
}

StudyFacts LinearizationStudy::Facts() const {
  std::vector<CaseValue> values;
  std::vector<double> real, imaginary, frequency, damping, time_constant;
  std::vector<std::string> messages;
  for (const LinearizedCase& one : result_.cases) {
    if (!one.message.empty()) messages.push_back(one.shown + ": " + one.message);
    for (const LinearMode& mode : one.modes) {
      values.push_back(one.value);
      real.push_back(mode.eigenvalue.real());
      imaginary.push_back(mode.eigenvalue.imag());
      frequency.push_back(mode.frequency());
      damping.push_back(mode.damping());
      time_constant.push_back(mode.time_constant());
    }
  }
  StudyFacts facts;
  if (result_.varied) facts = {{"parameter", result_.varied->path}, {"value", values}};
  const StudyFacts modes{{"real", real},
                         {"imaginary", imaginary},
                         {"frequency", frequency},
                         {"damping", damping},
                         {"time_constant", time_constant}};
  std::ranges::copy(modes, std::back_inserter(facts));
  if (!messages.empty()) facts.emplace_back("messages", messages);
  if (result_.varied || !result_.cases.front().linearization) return facts;
  const LinearizedCase& one = result_.cases.front();
  std::vector<std::string> pairs;
  std::vector<double> gains, gain_margins, phase_margins;
  for (const PairAnalysis& analysis : one.analyses) {
    const StabilityMargins margins = analysis.margins.value_or(StabilityMargins{});
    pairs.push_back(analysis.pair.name);
    gains.push_back(analysis.static_gain);
    gain_margins.push_back(margins.gain.value_or(std::nan("")));
    phase_margins.push_back(margins.phase.value_or(std::nan("")));
  }
  const LinearModel& model = one.linearization->model;
  const StudyFacts more{{"time", one.linearization->time},
                        {"states", MembersOf(model.states, &LinearVariable::name)},
                        {"inputs", MembersOf(model.inputs, &LinearVariable::name)},
                        {"outputs", MembersOf(model.outputs, &LinearVariable::name)},
                        {"pairs", pairs},
                        {"static_gain", gains},
                        {"gain_margin", gain_margins},
                        {"phase_margin", phase_margins}};
  std::ranges::copy(more, std::back_inserter(facts));
  return facts;
}

}  // namespace davit
