// What a fixed-step (TLM) component costs, from one machine to 50,000 components.
//
// The machine is systems/position_servo.xml: 21 components, hydraulics, mechanics and control, moved by a
// jump of its reference. Larger systems hold many of them under other names. Targets: 15 ns a component and
// step with one servo, 20 ns with 250, and with 2,500 at most 1.5 times those of 250; two threads on two free
// cores 1.6 times as fast as one, and with other programs on the cores not below 0.95 of one.
//
// Times of one thread are those of the processor, so that other programs matter little; times of several
// threads are those of the clock, so they need free cores. Runs that are compared take turns; what is shown
// is the median.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <deque>
#include <fstream>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

constexpr int kRuns = 15;
constexpr std::int64_t kFirstSteps = 60;  // until threads share the work and caches are warm
constexpr std::int64_t kMeasuredComponentSteps = 4'000'000;

/// The components of the servo, without manager and records; each name begins with `@_`.
std::string ReadServo() {
  const std::string name = DAVIT_SOURCE_DIR "/systems/position_servo.xml";
  std::ifstream file(name);
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  const std::size_t begin = text.find("<signal.Step");
  const std::size_t end = text.find("<Record");
  if (begin == std::string::npos || end == std::string::npos) throw std::runtime_error("cannot use " + name);
  return std::regex_replace(text.substr(begin, end - begin), std::regex(" (name|from|to)=\""), "$&@_");
}

/// `servo` with this number in its names.
std::string Numbered(const std::string& servo, std::int64_t number) {
  const std::string mark = fmt::format("servo{}", number);
  std::string text;
  for (const char c : servo) {
    if (c == '@') {
      text += mark;
    } else {
      text += c;
    }
  }
  return text;
}

double ReadClock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Some servos in one system.
class Servos {
 public:
  Servos(std::int64_t count, unsigned threads, ThreadUse use = ThreadUse::kAlways) {
    const std::string servo = ReadServo();
    std::string text =
        "<System name=\"servos\"><SimulatorManager TimeStep=\"0.1 ms\" StopTime=\"1000 s\"/>\n";
    for (std::int64_t i = 0; i < count; ++i) text += Numbered(servo, i);
    text += "<Record signals=\"servo0_load.x\" times=\"0\"/></System>";
    const SimulationOptions options{.threads = threads, .thread_use = use};
    simulation_ = Simulation::LoadText(text, "servos.xml", registry_, options).Take();
    if (!manager().islands().empty())
      throw std::runtime_error("not all components are fixed-step (TLM) components");
    components_ = static_cast<std::int64_t>(manager().statistics().components);
    set_component_steps(kMeasuredComponentSteps);
  }

  /// How much one measurement is.
  void set_component_steps(std::int64_t count) { steps_ = std::max<std::int64_t>(count / components_, 20); }
  SimulatorManager& manager() { return simulation_->manager(); }
  std::int64_t components() const { return components_; }
  std::int64_t steps() const { return steps_; }

  /// From the start of the motion, after some first steps; by `clock` [s].
  double TimePerComponentStep(clockid_t clock) {
    manager().Initialize();
    for (std::int64_t n = 0; n < kFirstSteps; ++n) manager().Step();
    const double begin = ReadClock(clock);
    for (std::int64_t n = 0; n < steps_; ++n) manager().Step();
    return (ReadClock(clock) - begin) / static_cast<double>(steps_ * components_);
  }

 private:
  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
  std::int64_t components_ = 0;
  std::int64_t steps_ = 0;
};

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Shows the time of `one`, and how many times that of `other` it is.
void Show(benchmark::State& state, Servos& one, const std::vector<double>& times,
          const std::vector<double>& ratios) {
  state.counters["components"] = static_cast<double>(one.components());
  state.counters["steps"] = static_cast<double>(one.steps());
  state.counters["ns_per_component_step"] = 1e9 * Median(times);
  if (!ratios.empty()) state.counters["ratio"] = Median(ratios);
}

void OneThread(benchmark::State& state) {
  Servos servos(state.range(0), 1);
  std::vector<double> times;
  for (auto _ : state) {
    for (int run = 0; run < kRuns; ++run)
      times.push_back(servos.TimePerComponentStep(CLOCK_THREAD_CPUTIME_ID));
  }
  Show(state, servos, times, {});
}
BENCHMARK(OneThread)->ArgName("servos")->Arg(1)->Arg(10)->Arg(50)->Arg(250)->Iterations(1)->Unit(
    benchmark::kMillisecond);

/// `ratio`: time of a component and step in the large system to that in the small one.
void LargeToSmall(benchmark::State& state) {
  Servos large(state.range(0), 1);
  Servos small(state.range(1), 1);
  std::vector<double> times, ratios;
  for (auto _ : state) {
    for (int run = 0; run < kRuns; ++run) {
      times.push_back(large.TimePerComponentStep(CLOCK_THREAD_CPUTIME_ID));
      ratios.push_back(times.back() / small.TimePerComponentStep(CLOCK_THREAD_CPUTIME_ID));
    }
  }
  Show(state, large, times, ratios);
}
BENCHMARK(LargeToSmall)
    ->ArgNames({"servos", "small"})
    ->Args({2500, 250})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// `ratio`: how many times as fast as one thread; `ratio_of_fastest`: the same of the fastest runs of both,
/// which comes near to free cores on a machine that has other work. Runs are short, to fit between that.
void Threads(benchmark::State& state) {
  Servos one(state.range(0), 1);
  Servos several(state.range(0), static_cast<unsigned>(state.range(1)));
  for (Servos* each : {&one, &several}) each->set_component_steps(kMeasuredComponentSteps / 8);
  std::vector<double> times_of_one, times, ratios;
  for (auto _ : state) {
    for (int run = 0; run < 8 * kRuns; ++run) {
      times_of_one.push_back(one.TimePerComponentStep(CLOCK_MONOTONIC));
      times.push_back(several.TimePerComponentStep(CLOCK_MONOTONIC));
      ratios.push_back(times_of_one.back() / times.back());
    }
  }
  Show(state, several, times, ratios);
  state.counters["ratio_of_fastest"] = *std::min_element(times_of_one.begin(), times_of_one.end()) /
                                       *std::min_element(times.begin(), times.end());
}
BENCHMARK(Threads)
    ->ArgNames({"servos", "threads"})
    ->Args({10, 2})
    ->Args({50, 2})
    ->Args({250, 2})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// Keeps a core busy while it lives, as another program would.
class BusyCore {
 public:
  BusyCore() = default;
  BusyCore(const BusyCore&) = delete;
  BusyCore& operator=(const BusyCore&) = delete;
  ~BusyCore() {
    is_ending_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> is_ending_{false};
  std::thread thread_{[this] {
    while (!is_ending_) continue;
  }};
};

/// `ratio`: how many times as fast as one thread, as users run it, while `busy` cores have other work. Of the
/// sums of all runs, which take turns: what others do to both is about the same.
void ThreadsBesideOtherWork(benchmark::State& state) {
  Servos one(state.range(0), 1);
  Servos several(state.range(0), 2, ThreadUse::kWhereItPays);
  for (Servos* each : {&one, &several}) each->set_component_steps(8 * kMeasuredComponentSteps);
  std::deque<BusyCore> busy(static_cast<std::size_t>(state.range(1)));
  std::vector<double> times_of_one, times;
  for (auto _ : state) {
    for (int run = 0; run < kRuns; ++run) {
      times_of_one.push_back(one.TimePerComponentStep(CLOCK_MONOTONIC));
      times.push_back(several.TimePerComponentStep(CLOCK_MONOTONIC));
    }
  }
  const double ratio = std::accumulate(times_of_one.begin(), times_of_one.end(), 0.0) /
                       std::accumulate(times.begin(), times.end(), 0.0);
  Show(state, several, times, {ratio});
}
BENCHMARK(ThreadsBesideOtherWork)
    ->ArgNames({"servos", "busy"})
    ->Args({50, 1})
    ->Args({250, 1})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
