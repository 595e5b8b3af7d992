#include "analysis/frequency/frequency_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "analysis/frequency/excited_system.h"
#include "analysis/spectrum/period_plan.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::size_t kFewestPanels = 8;  // in the period of each sine
constexpr int kMostSettlePeriods = 2000;
constexpr std::size_t kPatience = 25;  // periods in which a response that settles comes nearer to its end
constexpr double kAimed = 0.1;         // of FrequencyOptions::settled: what is waited for
constexpr int kHarmonics = 5;
constexpr double kRounding =
    1e-14;  // amplitude over the largest value below which an output does not respond

/// Samples of some signals.
using Samples = std::vector<std::vector<double>>;

/// A period that is a whole number of TimeSteps, where it has some, so that held signals are the same in
/// each. They jump at step points, between which all is smooth: so a panel is a TimeStep or a part of it, and
/// each has the points of Gauss; with fixed steps it has the step point alone. `lines`: sines of up to so
/// many times the frequency are measured.
PeriodPlan PlanPeriod(double frequency, std::size_t lines, bool is_continuous, double h) {
  const auto steps = static_cast<std::size_t>(std::max(0.0, std::round(1 / (frequency * h))));
  if (!is_continuous) {
    const std::size_t panels = std::max(steps, kFewestPanels);
    return {static_cast<double>(panels) * h, panels, {.places = {0}, .weights = {1}}};
  }
  const std::size_t needed = kFewestPanels * lines;
  PeriodPlan plan{.period = 1 / frequency, .panels = needed};
  if (steps >= kFewestPanels) {
    plan.period = static_cast<double>(steps) * h;
    plan.panels = steps * ((needed + steps - 1) / steps);
  }
  // Jumps are the smaller, and matter the less, the more steps a period has.
  plan.rule = GaussRule(std::clamp<std::size_t>(1024 / plan.panels, 2, 8));
  return plan;
}

/// What the sources are added to. Throws std::runtime_error.
SystemDescription Describe(const FrequencyOptions& options) {
  const TextResult read = options.text ? TextResult{*options.text, {}}
                                       : ReadTextFrom(options.simulation.load.files.get(), options.system);
  XmlResult xml = read.fault.empty() ? ParseXml(read.text) : XmlResult{nullptr, 0, read.fault};
  if (xml.document == nullptr) throw std::runtime_error(xml.fault);
  return SystemDescription(std::move(xml.document));
}

/// Drives an excited system and samples it.
class ExcitedRun {
 public:
  /// To `start`. `is_continuous`: whether it has values between step points.
  ExcitedRun(std::unique_ptr<Simulation> simulation, const std::vector<std::string>& signals, double start,
             bool is_continuous, std::stop_token stop)
      : simulation_(std::move(simulation)),
        items_(simulation_->Items(signals)),
        is_continuous_(is_continuous),
        stop_(std::move(stop)),
        give_up_(stop_, [this] { simulation_->RequestStopInside(); }) {
    simulation_->Initialize();
    if (start > simulation_->time()) Advance(start);
  }
  /// So many periods of each signal, from the present time on.
  Samples Take(const PeriodPlan& plan, std::size_t periods) {
    const std::size_t count = plan.size() * periods;
    Samples samples(items_.size(), std::vector<double>(count));
    std::vector<double> values(items_.size());
    const double begin = simulation_->time();
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t periods_before = k / plan.size();
      const double t =
          begin + (static_cast<double>(periods_before) + plan.Place(k % plan.size())) * plan.period;
      if (t > begin) Advance(t);
      simulation_->Read(items_, values);
      for (std::size_t i = 0; i < values.size(); ++i) samples[i][k] = values[i];
    }
    Advance(begin + static_cast<double>(periods) * plan.period);
    return samples;
  }

 private:
  void Advance(double t) {
    if (stop_.stop_requested()) throw std::runtime_error("interrupted");
    const RunEnd end = is_continuous_ ? simulation_->AdvanceTo(t) : simulation_->RunUntil(t);
    if (end != RunEnd::kReached)
      throw std::runtime_error(
          stop_.stop_requested() ? "interrupted" : "the run was stopped before its response was measured");
  }

  std::unique_ptr<Simulation> simulation_;
  ItemList items_;
  bool is_continuous_;
  std::stop_token stop_;
  std::stop_callback<std::function<void()>> give_up_;
};

/// Amplitudes of the first signal, the input, and the others.
FrequencyPoint Evaluate(const Samples& samples, const PeriodPlan& plan, std::size_t line) {
  FrequencyPoint point;
  const std::size_t periods = samples.front().size() / plan.size();
  std::vector<std::vector<std::complex<double>>> values(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<double> x = WithoutDrift(samples[i], plan);
    for (std::size_t p = 0; p < periods; ++p)
      values[i].push_back(FourierCoefficient(x.data() + p * plan.size(), plan, line));
  }
  double uu = 0;
  for (const auto& u : values[0]) {
    uu += std::norm(u);
    point.u += u / static_cast<double>(periods);
  }
  for (std::size_t i = 1; i < samples.size(); ++i) {
    std::complex<double> uy = 0;
    double yy = 0;
    for (std::size_t p = 0; p < periods; ++p) {
      uy += std::conj(values[0][p]) * values[i][p];
      yy += std::norm(values[i][p]);
    }
    point.gain.push_back(uy / uu);
    const double size =
        std::abs(*std::ranges::max_element(samples[i], {}, [](double y) { return std::abs(y); }));
    const bool is_rounding = yy <= static_cast<double>(periods) * std::pow(kRounding * size, 2);
    point.coherence.push_back(is_rounding ? std::numeric_limits<double>::quiet_NaN()
                                          : std::norm(uy) / (uu * yy));
  }
  return point;
}

double Distortion(const std::vector<double>& samples, const PeriodPlan& plan) {
  const std::vector<double> x = WithoutDrift(samples, plan);
  const auto amplitude = [&](std::size_t harmonic) {  // of all periods together
    std::complex<double> sum = 0;
    for (std::size_t p = 0; p < x.size(); p += plan.size())
      sum += FourierCoefficient(x.data() + p, plan, harmonic);
    return std::abs(sum);
  };
  double sum = 0;
  for (std::size_t h = 2; h <= kHarmonics; ++h) {
    if (2 * h < plan.size()) sum += std::pow(amplitude(h), 2);
  }
  const double first = amplitude(1);
  return first > 0 ? std::sqrt(sum) / first : std::numeric_limits<double>::quiet_NaN();
}

/// What a measurement knows of its signals, period by period, until they repeat.
class SettleWatch {
 public:
  SettleWatch(const PeriodPlan& plan, std::vector<std::size_t> lines)
      : plan_(plan), lines_(std::move(lines)) {}

  void Add(Samples now) {
    std::vector<std::complex<double>> amplitudes;
    for (std::size_t i = 0; i < now.size(); ++i) {
      // Two periods together show the drift.
      std::vector<double> both = previous_.empty() ? now[i] : previous_[i];
      if (!previous_.empty()) both.insert(both.end(), now[i].begin(), now[i].end());
      const std::vector<double> level = WithoutDrift(both, plan_);
      for (const std::size_t line : lines_)
        amplitudes.push_back(FourierCoefficient(level.data() + level.size() - plan_.size(), plan_, line));
    }
    amplitudes_.push_back(std::move(amplitudes));
    if (count() > 1) changes_.push_back(ChangeOver(1));
    previous_ = std::move(now);
  }
  int count() const { return static_cast<int>(amplitudes_.size()); }
  /// The sum of all changes to come, if they go on to fade as they have in the second half of those seen,
  /// compared with the first half.
  double Remaining() const {
    const std::size_t half = changes_.size() / 2;
    if (half == 0) return std::numeric_limits<double>::infinity();
    const double late = ChangesOf(half, 0), early = ChangesOf(half, half);
    if (late == 0) return 0;
    return late < early ? late * late / (early - late) : std::numeric_limits<double>::infinity();
  }
  bool ComesNoNearer() const {
    return changes_.size() >= 2 * kPatience &&
           ChangesOf(kPatience, 0) > 0.9 * ChangesOf(kPatience, kPatience);
  }
  /// From so many periods ago to now: the largest, of its size.
  double ChangeOver(int periods) const {
    const auto& now = amplitudes_.back();
    const auto& before = amplitudes_[amplitudes_.size() - 1 - static_cast<std::size_t>(periods)];
    double change = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double size = std::abs(now[i]);
      if (size > 0) change = std::max(change, std::abs(now[i] - before[i]) / size);
    }
    return change;
  }

 private:
  /// The sum of so many changes; so many are younger.
  double ChangesOf(std::size_t number, std::size_t younger) const {
    const auto end = changes_.end() - static_cast<std::ptrdiff_t>(younger);
    return std::accumulate(end - static_cast<std::ptrdiff_t>(number), end, 0.0);
  }

  const PeriodPlan& plan_;
  std::vector<std::size_t> lines_;
  Samples previous_;
  std::vector<std::vector<std::complex<double>>> amplitudes_;  ///< by period
  std::vector<double> changes_;                                ///< from period to period
};

class FrequencyMeasurement {
 public:
  FrequencyMeasurement(const FrequencyOptions& options, const Registry& registry, SystemDescription system,
                       double offset, double start, double h, bool is_continuous)
      : options_(options),
        registry_(registry),
        system_(std::move(system)),
        offset_(offset),
        start_(start),
        h_(h),
        is_continuous_(is_continuous) {
    signals_.push_back(options.input);
    signals_.insert(signals_.end(), options.outputs.begin(), options.outputs.end());
  }

  std::vector<double> Frequencies() const {
    std::vector<double> frequencies;
    for (int i = 0; i < options_.points; ++i) {
      const double share = options_.points > 1 ? i / (options_.points - 1.0) : 0;
      frequencies.push_back(options_.from * std::pow(options_.to / options_.from, share));
    }
    return frequencies;
  }

  std::vector<FrequencyPoint> RunSteps(const std::function<void(const FrequencyPoint&)>& tell) {
    std::vector<FrequencyPoint> points;
    for (const double wanted : Frequencies()) {
      const PeriodPlan plan = PlanPeriod(wanted, 1, is_continuous_, h_);
      if (!points.empty() && std::abs(points.back().frequency / plan.frequency() - 1) < 1e-12) continue;
      ExcitedRun run = Begin({{options_.amplitude, plan.frequency(), 0}}, plan);
      int waited = 0;
      const bool is_settled = Settle(run, plan, {1}, &waited);
      const Samples samples = run.Take(plan, static_cast<std::size_t>(options_.periods));
      FrequencyPoint point = Evaluate(samples, plan, 1);
      for (std::size_t i = 1; i < samples.size(); ++i)
        point.distortion.push_back(Distortion(samples[i], plan));
      point.frequency = plan.frequency();
      point.settle_periods = waited;
      point.is_settled = is_settled;
      if (tell) tell(point);
      points.push_back(std::move(point));
    }
    return points;
  }

  std::vector<FrequencyPoint> RunMultisine(const std::function<void(const FrequencyPoint&)>& tell) {
    const auto last = static_cast<std::size_t>(std::llround(options_.to / options_.from));
    const PeriodPlan plan = PlanPeriod(options_.from, last, is_continuous_, h_);
    const double base = plan.frequency();
    std::vector<std::size_t> lines;
    for (const double frequency : Frequencies()) {
      const auto line = static_cast<std::size_t>(std::max<long long>(1, std::llround(frequency / base)));
      if (2 * line < plan.size() && (lines.empty() || line > lines.back())) lines.push_back(line);
    }
    std::vector<ExcitationSine> sines;
    const auto count = static_cast<double>(lines.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const auto number = static_cast<double>(k);
      sines.push_back({options_.amplitude / std::sqrt(count), base * static_cast<double>(lines[k]),
                       -std::numbers::pi * number * (number + 1) / count});
    }
    ExcitedRun run = Begin(sines, plan);
    int waited = 0;
    const bool is_settled = Settle(run, plan, lines, &waited);
    const Samples samples = run.Take(plan, static_cast<std::size_t>(options_.periods));
    std::vector<double> distortion;
    for (std::size_t i = 1; i < samples.size(); ++i) distortion.push_back(Unexcited(samples[i], plan, lines));
    std::vector<FrequencyPoint> points;
    for (const std::size_t line : lines) {
      FrequencyPoint point = Evaluate(samples, plan, line);
      point.frequency = base * static_cast<double>(line);
      point.distortion = distortion;
      point.settle_periods = waited;
      point.is_settled = is_settled;
      if (tell) tell(point);
      points.push_back(std::move(point));
    }
    return points;
  }

 private:
  ExcitedRun Begin(std::vector<ExcitationSine> sines, const PeriodPlan& plan) {
    const Excitation excitation{
        .input = options_.input, .offset = offset_, .start = start_, .sines = std::move(sines)};
    SimulationOptions simulation = options_.simulation;
    const double periods = kMostSettlePeriods + options_.settle + options_.periods + 2;
    const double end = start_ + periods * plan.period + h_;
    // With fixed steps the run must end at a step point.
    simulation.load.set.push_back(fmt::format("SimulatorManager.StopTime={}", h_ * std::ceil(end / h_ + 1)));
    LoadedSimulation loaded =
        Simulation::Load({.file = options_.system, .description = MakeExcitedSystem(system_, excitation)},
                         registry_, simulation);
    return {std::move(loaded).Take(), signals_, start_, is_continuous_, options_.stop};
  }

  /// Waits until the amplitudes stay.
  bool Settle(ExcitedRun& run, const PeriodPlan& plan, std::vector<std::size_t> lines, int* waited) const {
    SettleWatch watch(plan, std::move(lines));
    while (watch.count() < kMostSettlePeriods) {
      watch.Add(run.Take(plan, 1));
      *waited = watch.count();
      if (*waited > options_.settle && watch.Remaining() <= kAimed * options_.settled) return true;
      // What is left may be the tolerance of the solver.
      if (watch.ComesNoNearer()) return watch.ChangeOver(watch.count() / 2) <= options_.settled;
    }
    return false;
  }

  /// What the excitation did not ask for.
  static double Unexcited(const std::vector<double>& samples, const PeriodPlan& plan,
                          const std::vector<std::size_t>& lines) {
    const std::vector<double> x = WithoutDrift(samples, plan);
    double all = 0, excited = 0;
    for (std::size_t k = 0; k < plan.size(); ++k) all += plan.Weight(k) * x[k] * x[k];
    for (const std::size_t line : lines) excited += std::norm(FourierCoefficient(x.data(), plan, line)) / 2;
    return excited > 0 ? std::sqrt(std::max(0.0, all - excited) / excited)
                       : std::numeric_limits<double>::quiet_NaN();
  }

  const FrequencyOptions& options_;
  const Registry& registry_;
  SystemDescription system_;
  double offset_, start_, h_;
  bool is_continuous_;
  std::vector<std::string> signals_;
};

/// Whether the system has values between its step points.
bool IsContinuous(Simulation& simulation) {
  return simulation.manager().FaultOfTime(simulation.start_time() + simulation.time_step() / 3).empty();
}

}  // namespace

void CheckFrequencyOptions(const FrequencyOptions& options, Simulation& simulation,
                           Diagnostics& diagnostics) {
  const auto fail = [&](std::string_view option, std::string_view text) {
    diagnostics.Error({}, option, text);
  };
  if (!(options.from > 0)) fail("--from", "is not above 0; give a positive frequency");
  if (!(options.to >= options.from)) fail("--to", "is below --from; give the higher frequency last");
  if (!(options.points >= 1 && options.points <= 1000)) fail("--points", "is not in 1 .. 1000");
  if (!(options.amplitude > 0) || !std::isfinite(options.amplitude))
    fail("--amplitude", "is not above 0; give a positive amplitude in the unit of the input");
  if (!(options.settle >= 1 && options.settle <= kMostSettlePeriods))
    fail("--settle", fmt::format("is not in 1 .. {} periods", kMostSettlePeriods));
  if (!(options.periods >= 1 && options.periods <= 1000)) fail("--periods", "is not in 1 .. 1000 periods");
  if (options.is_multisine && options.points > 100)
    fail("--points", "a multisine has at most 100 frequencies");
  System& system = simulation.system();
  const auto find = [&](std::string_view option, const std::string& path) {
    Fault fault;
    const std::optional<Item> item = system.FindVariable(system.root(), path, &fault);
    if (!item) diagnostics.Error({}, option, fault);
    return item;
  };
  const std::optional<Item> input = find("--input", options.input);
  if (input && input->kind() != Item::Kind::kInput &&
      !(input->kind() == Item::Kind::kParameter && input->is_writable())) {
    fail("--input", Quoted(options.input) +
                        " cannot be driven; name an input of a component, or a parameter that "
                        "may be written during a run");
  }
  if (options.outputs.empty()) fail("--output", "is missing; name what shall be measured");
  for (const std::string& path : options.outputs) find("--output", path);
  if (options.at && !(*options.at >= simulation.start_time()))
    fail("--at", fmt::format("{} s is before the start, {} s", *options.at, simulation.start_time()));
  const double h = simulation.time_step();
  if (options.to * h > 1.0 / kFewestPanels && !IsContinuous(simulation)) {
    fail("--to", fmt::format("{} Hz has fewer than {} TimeSteps in a period, and components with fixed steps "
                             "have no values between them; take at most {} Hz, or a shorter TimeStep",
                             options.to, kFewestPanels, 1 / (static_cast<double>(kFewestPanels) * h)));
  }
}

MeasuredResponse MeasureFrequencies(const FrequencyOptions& options, const Registry& registry,
                                    Diagnostics& diagnostics,
                                    const std::function<void(const FrequencyPoint&)>& tell) {
  LoadedSimulation loaded =
      Simulation::Load({.file = options.system, .text = options.text}, registry, options.simulation);
  diagnostics.Add(loaded.diagnostics);
  if (loaded.simulation == nullptr) return {};
  Simulation& simulation = *loaded.simulation;
  CheckFrequencyOptions(options, simulation, diagnostics);
  if (diagnostics.has_errors()) return {};
  System& system = simulation.system();
  const auto unit_of = [&](const std::string& path) {
    Fault none;
    return system.FindVariable(system.root(), path, &none)->unit();
  };
  MeasuredResponse measured{.input_unit = unit_of(options.input), .output_units = {}, .points = {}};
  for (const std::string& path : options.outputs) measured.output_units.push_back(unit_of(path));

  const bool is_continuous = IsContinuous(simulation);
  const double start = options.at.value_or(simulation.start_time());
  {
    const std::stop_callback give_up(options.stop, [&simulation] { simulation.RequestStopInside(); });
    simulation.Initialize();
    if (start > simulation.time()) simulation.RunUntil(std::min(start, simulation.stop_time()));
  }
  if (options.stop.stop_requested()) throw std::runtime_error("interrupted");
  FrequencyMeasurement measurement(options, registry, Describe(options), simulation.Read(options.input),
                                   start, simulation.time_step(), is_continuous);
  measured.points = options.is_multisine ? measurement.RunMultisine(tell) : measurement.RunSteps(tell);
  return measured;
}

}  // namespace davit
