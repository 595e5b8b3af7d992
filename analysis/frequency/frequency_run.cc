#include "analysis/frequency/frequency_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "analysis/frequency/excited_system.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr double kRound = 2 * std::numbers::pi;
constexpr int kSamplesPerPeriod = 64;
constexpr int kFewestSamples = 8;  // at step points
constexpr int kMostSettlePeriods = 2000;
constexpr int kPatience = 25;  // periods in which a response that settles comes nearer to its end
constexpr int kHarmonics = 5;

/// Samples of some signals at equal distances.
using Samples = std::vector<std::vector<double>>;

/// The part of a period, given by n samples, that goes round `k` times: 2/n sum x exp(-2 pi i k j/n).
std::complex<double> FourierCoefficient(const double* x, std::size_t n, std::size_t k) {
  std::complex<double> sum = 0;
  for (std::size_t j = 0; j < n; ++j)
    sum += x[j] * std::polar(1.0, -kRound * static_cast<double>(j * k % n) / static_cast<double>(n));
  return sum * (2.0 / static_cast<double>(n));
}

/// x without its mean and the drift from one period to the next.
std::vector<double> WithoutDrift(const std::vector<double>& x, std::size_t period) {
  const std::size_t n = x.size();
  std::vector<double> level = x;
  const auto mean = [&](std::size_t begin) {
    double sum = 0;
    for (std::size_t j = 0; j < period; ++j) sum += x[begin + j];
    return sum / static_cast<double>(period);
  };
  const double first = mean(0);
  const double slope = n > period ? (mean(n - period) - first) / static_cast<double>(n - period) : 0;
  const double middle = static_cast<double>(period - 1) / 2;
  for (std::size_t j = 0; j < n; ++j) level[j] -= first + slope * (static_cast<double>(j) - middle);
  return level;
}

std::string ReadWhole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Drives an excited system and samples it.
class ExcitedRun {
 public:
  /// To `start`. `is_continuous`: whether it has values between step points.
  ExcitedRun(std::unique_ptr<Simulation> simulation, const std::vector<std::string>& signals, double start,
             bool is_continuous)
      : simulation_(std::move(simulation)),
        items_(simulation_->Items(signals)),
        is_continuous_(is_continuous) {
    simulation_->Initialize();
    if (start > simulation_->time()) Advance(start);
  }
  /// `count` samples of each signal, `distance` [s] or so many TimeSteps apart, from the present time on.
  Samples Take(std::size_t count, double distance) {
    Samples samples(items_.size(), std::vector<double>(count));
    std::vector<double> values(items_.size());
    const double begin = simulation_->time();
    for (std::size_t k = 0; k < count; ++k) {
      simulation_->Read(items_, values);
      for (std::size_t i = 0; i < values.size(); ++i) samples[i][k] = values[i];
      const double t = begin + static_cast<double>(k + 1) * distance;
      Advance(t);
    }
    return samples;
  }

 private:
  void Advance(double t) {
    const RunEnd end = is_continuous_ ? simulation_->AdvanceTo(t) : simulation_->RunUntil(t);
    if (end != RunEnd::kReached)
      throw std::runtime_error("the run was stopped before its response was measured");
  }

  std::unique_ptr<Simulation> simulation_;
  ItemList items_;
  bool is_continuous_;
};

/// Amplitudes of the first signal, the input, and the others.
FrequencyPoint Evaluate(const Samples& samples, std::size_t period, std::size_t line) {
  FrequencyPoint point;
  const std::size_t periods = samples.front().size() / period;
  std::vector<std::vector<std::complex<double>>> values(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<double> x = WithoutDrift(samples[i], period);
    for (std::size_t p = 0; p < periods; ++p)
      values[i].push_back(FourierCoefficient(x.data() + p * period, period, line));
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
    point.coherence.push_back(yy > 0 ? std::norm(uy) / (uu * yy) : std::numeric_limits<double>::quiet_NaN());
  }
  return point;
}

double Distortion(const std::vector<double>& samples, std::size_t period) {
  const std::vector<double> x = WithoutDrift(samples, period);
  const std::size_t periods = x.size() / period;
  const double first = std::abs(FourierCoefficient(x.data(), x.size(), periods));
  double sum = 0;
  for (std::size_t h = 2; h <= kHarmonics; ++h) {
    if (2 * h < period) sum += std::norm(FourierCoefficient(x.data(), x.size(), h * periods));
  }
  return first > 0 ? std::sqrt(sum) / first : std::numeric_limits<double>::quiet_NaN();
}

/// How samples divide a period.
struct PeriodPlan {
  std::size_t samples;
  double distance;  ///< [s]
  double frequency() const { return 1 / (static_cast<double>(samples) * distance); }
};

/// A whole number of TimeSteps, where a period has some: so held signals are the same in each.
PeriodPlan PlanPeriod(double frequency, std::size_t samples, bool is_continuous, double h) {
  const double steps = std::round(1 / (frequency * h));
  if (!is_continuous) return {static_cast<std::size_t>(std::max<double>(steps, kFewestSamples)), h};
  const double period = steps >= kFewestSamples ? steps * h : 1 / frequency;
  return {samples, period / static_cast<double>(samples)};
}

class FrequencyMeasurement {
 public:
  FrequencyMeasurement(const FrequencyOptions& options, const Registry& registry, std::string text,
                       double offset, double start, double h, bool is_continuous)
      : options_(options),
        registry_(registry),
        text_(std::move(text)),
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
      const PeriodPlan plan = PlanPeriod(wanted, kSamplesPerPeriod, is_continuous_, h_);
      if (!points.empty() && std::abs(points.back().frequency / plan.frequency() - 1) < 1e-12) continue;
      ExcitedRun run = Begin({{options_.amplitude, plan.frequency(), 0}}, plan);
      int waited = 0;
      const bool is_settled = Settle(run, plan, 1, &waited);
      const Samples samples =
          run.Take(plan.samples * static_cast<std::size_t>(options_.periods), plan.distance);
      FrequencyPoint point = Evaluate(samples, plan.samples, 1);
      for (std::size_t i = 1; i < samples.size(); ++i)
        point.distortion.push_back(Distortion(samples[i], plan.samples));
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
    PeriodPlan plan =
        PlanPeriod(options_.from, std::max<std::size_t>(kSamplesPerPeriod, 8 * last), is_continuous_, h_);
    const double base = plan.frequency();
    std::vector<std::size_t> lines;
    for (const double frequency : Frequencies()) {
      const auto line = static_cast<std::size_t>(std::max<long long>(1, std::llround(frequency / base)));
      if (2 * line < plan.samples && (lines.empty() || line > lines.back())) lines.push_back(line);
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
    const bool is_settled = Settle(run, plan, lines.front(), &waited);
    const Samples samples =
        run.Take(plan.samples * static_cast<std::size_t>(options_.periods), plan.distance);
    std::vector<double> distortion;
    for (std::size_t i = 1; i < samples.size(); ++i)
      distortion.push_back(Unexcited(samples[i], plan.samples, lines));
    std::vector<FrequencyPoint> points;
    for (const std::size_t line : lines) {
      FrequencyPoint point = Evaluate(samples, plan.samples, line);
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
    Diagnostics diagnostics;
    const std::string excited = MakeExcitedSystem(
        text_, options_.system.string(),
        {.input = options_.input, .offset = offset_, .start = start_, .sines = std::move(sines)},
        diagnostics);
    SimulationOptions simulation = options_.simulation;
    const double periods = kMostSettlePeriods + options_.settle + options_.periods + 2;
    const double end = start_ + periods * static_cast<double>(plan.samples) * plan.distance + h_;
    // With fixed steps the run must end at a step point.
    simulation.load.set.push_back(fmt::format("SimulatorManager.StopTime={}", h_ * std::ceil(end / h_ + 1)));
    LoadedSimulation loaded = Simulation::LoadText(excited, options_.system, registry_, simulation);
    return {std::move(loaded).Take(), signals_, start_, is_continuous_};
  }

  /// Waits until the amplitudes stay.
  bool Settle(ExcitedRun& run, const PeriodPlan& plan, std::size_t line, int* waited) const {
    std::vector<std::complex<double>> before;
    Samples previous;
    double least = std::numeric_limits<double>::infinity();
    int last_progress = 0;
    for (*waited = 0; *waited < kMostSettlePeriods;) {
      const Samples now = run.Take(plan.samples, plan.distance);
      ++*waited;
      std::vector<std::complex<double>> amplitudes;
      for (std::size_t i = 0; i < now.size(); ++i) {
        // Two periods together show the drift.
        std::vector<double> both = previous.empty() ? now[i] : previous[i];
        if (!previous.empty()) both.insert(both.end(), now[i].begin(), now[i].end());
        const std::vector<double> level = WithoutDrift(both, plan.samples);
        amplitudes.push_back(
            FourierCoefficient(level.data() + level.size() - plan.samples, plan.samples, line));
      }
      double change = before.empty() ? std::numeric_limits<double>::infinity() : 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double size = std::abs(amplitudes[i]);
        if (size > 0) change = std::max(change, std::abs(amplitudes[i] - before[i]) / size);
      }
      if (change <= options_.settled && *waited > options_.settle) return true;
      if (change < 0.9 * least) {
        least = change;
        last_progress = *waited;
      }
      if (*waited > last_progress + kPatience) return false;
      before = amplitudes;
      previous = now;
    }
    return false;
  }

  /// What the excitation did not ask for.
  static double Unexcited(const std::vector<double>& samples, std::size_t period,
                          const std::vector<std::size_t>& lines) {
    const std::vector<double> x = WithoutDrift(samples, period);
    double all = 0, excited = 0;
    for (std::size_t j = 0; j < period; ++j) all += x[j] * x[j];
    all /= static_cast<double>(period);
    for (const std::size_t line : lines) excited += std::norm(FourierCoefficient(x.data(), period, line)) / 2;
    return excited > 0 ? std::sqrt(std::max(0.0, all - excited) / excited)
                       : std::numeric_limits<double>::quiet_NaN();
  }

  const FrequencyOptions& options_;
  const Registry& registry_;
  std::string text_;
  double offset_, start_, h_;
  bool is_continuous_;
  std::vector<std::string> signals_;
};

void CheckOptions(const FrequencyOptions& options, Diagnostics& diagnostics) {
  const auto fail = [&](std::string_view option, std::string text) {
    diagnostics.Error({}, option, std::move(text));
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
}

}  // namespace

std::vector<FrequencyPoint> MeasureFrequencies(const FrequencyOptions& options, const Registry& registry,
                                               Diagnostics& diagnostics,
                                               const std::function<void(const FrequencyPoint&)>& tell) {
  CheckOptions(options, diagnostics);
  LoadedSimulation loaded =
      options.text ? Simulation::LoadText(*options.text, options.system, registry, options.simulation)
                   : Simulation::Load(options.system, registry, options.simulation);
  for (const Diagnostic& fault : loaded.diagnostics.all()) {
    if (fault.severity == Severity::kError)
      diagnostics.Error(fault.location, fault.path, fault.message);
    else
      diagnostics.Warning(fault.location, fault.path, fault.message);
  }
  if (loaded.simulation == nullptr) return {};
  Simulation& simulation = *loaded.simulation;
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
    diagnostics.Error({}, "--input",
                      Quoted(options.input) +
                          " cannot be driven; name an input of a component, or a parameter that "
                          "may be written during a run");
  }
  if (options.outputs.empty()) diagnostics.Error({}, "--output", "is missing; name what shall be measured");
  for (const std::string& output : options.outputs) find("--output", output);
  const double start = options.at.value_or(simulation.start_time());
  if (!(start >= simulation.start_time()))
    diagnostics.Error({}, "--at",
                      fmt::format("{} s is before the start, {} s", start, simulation.start_time()));
  if (diagnostics.has_errors()) return {};

  simulation.Initialize();
  const double h = simulation.time_step();
  const bool is_continuous = simulation.manager().FaultOfTime(simulation.time() + h / 3).empty();
  if (!is_continuous && options.to * h > 1.0 / kFewestSamples) {
    diagnostics.Error(
        {}, "--to",
        fmt::format("{} Hz has fewer than {} TimeSteps in a period, and components with fixed steps "
                    "have no values between them; take at most {} Hz, or a shorter TimeStep",
                    options.to, kFewestSamples, 1 / (kFewestSamples * h)));
    return {};
  }
  if (start > simulation.time()) simulation.RunUntil(std::min(start, simulation.stop_time()));
  FrequencyMeasurement measurement(options, registry,
                                   options.text ? *options.text : ReadWhole(options.system),
                                   simulation.Read(options.input), start, h, is_continuous);
  return options.is_multisine ? measurement.RunMultisine(tell) : measurement.RunSteps(tell);
}

}  // namespace davit
