// What a change of level costs in the lifting system: 1,000 switches of one component each, with TimeStep 1
// ms. `switch_*` is the time from before to after the switch, everything evaluated again; `step_*` that of
// the steps between, in most of which the solver does nothing but show values inside a step it has made
// already. `ratio` is the median switch over the mean step; target: below 1.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/step_observer.h"

namespace davit {
namespace {

constexpr std::size_t kSwitches = 1000;

double Seconds(const std::chrono::steady_clock::duration& d) {
  return std::chrono::duration<double>(d).count();
}

double Median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

using Clock = std::chrono::steady_clock;

/// Takes the time of each switch.
class Stopwatch final : public StepObserver {
 public:
  void OnStart(double /*t*/) override {}
  void OnContinue(double /*start*/, double /*t_before*/, double /*t*/) override {}
  void OnStep(double /*t*/) override {}
  void OnSwitch(double /*t*/, bool is_before) override {
    if (is_before) {
      begin_ = Clock::now();
    } else {
      times.push_back(Seconds(Clock::now() - begin_));
    }
  }
  std::vector<double> times;

 private:
  Clock::time_point begin_;
};

void SwitchLevels(benchmark::State& state, const std::string& method) {
  const Registry registry = AllModels();
  LoadOptions options;
  options.level = {"*=Standard"};
  options.set = {"SimulatorManager.Integration.method=" + method, "SimulatorManager.TimeStep=1 ms"};
  const auto file = std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml";
  const auto simulation = Simulation::Load(file, registry, {.load = options}).Take();
  const System& system = simulation->system();
  SimulatorManager& manager = simulation->manager();
  std::vector<Assignment> switches;
  for (const char* component : {"cylinder", "dcv", "cbv", "pump", "pipe"}) {
    for (const char* level : {"Ideal", "Standard", "Advanced", "Standard"}) {
      Fault fault;
      const auto write =
          system.FindLiveAssignment(system.root(), std::string(component) + ".level", level, &fault);
      if (!write) throw std::runtime_error(fault.ToText());
      switches.push_back(*write);
    }
  }
  Stopwatch watch;
  manager.AddObserver(&watch);
  std::vector<double> steps;
  for (auto _ : state) {
    watch.times.clear();
    steps.clear();
    manager.Initialize();
    manager.RunUntil(5);
    for (std::size_t i = 0; i < kSwitches; ++i) {
      manager.Apply(switches[i % switches.size()]);
      manager.Step();
      for (int k = 0; k < 20; ++k) {
        const auto begin = Clock::now();
        manager.Step();
        steps.push_back(Seconds(Clock::now() - begin));
      }
    }
  }
  const double mean = std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
  const double median = Median(watch.times);
  state.counters["switches"] = static_cast<double>(watch.times.size());
  state.counters["switch_max_us"] = 1e6 * *std::max_element(watch.times.begin(), watch.times.end());
  state.counters["switch_median_us"] = 1e6 * median;
  state.counters["step_max_us"] = 1e6 * *std::max_element(steps.begin(), steps.end());
  state.counters["step_mean_us"] = 1e6 * mean;
  state.counters["ratio"] = median / mean;
}

BENCHMARK_CAPTURE(SwitchLevels, rosenbrock4, "rosenbrock4")->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK_CAPTURE(SwitchLevels, runge_kutta_dopri5, "runge_kutta_dopri5")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);
BENCHMARK_CAPTURE(SwitchLevels, ida, "ida")->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace davit
