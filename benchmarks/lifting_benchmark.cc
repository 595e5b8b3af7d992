// How much faster than real time the lifting system runs: 50 s, rtol 1e-6. Targets: 400 at level Standard
// with TimeStep 10 ms, 250 with 1 ms, 100 at level Advanced, by the better of the two methods. Beside it the
// same equations written out by hand around IDA.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/lifting_ida.h"

namespace davit {
namespace {

void Lift(benchmark::State& state, const std::string& method, const std::string& level,
          const std::string& time_step) {
  const Registry registry = AllModels();
  LoadOptions options;
  options.level = {"*=" + level};
  options.set = {"SimulatorManager.Integration.method=" + method, "SimulatorManager.TimeStep=" + time_step};
  const auto file = std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml";
  const auto simulation = Simulation::Load(file, registry, {.load = options}).Take();
  for (auto _ : state) {
    simulation->Initialize();
    simulation->Run();
  }
  const RunStatistics statistics = simulation->statistics();
  state.counters["real_time_factor"] =
      benchmark::Counter(statistics.simulated, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["steps"] = static_cast<double>(statistics.solver_steps);
  state.counters["rejected"] = static_cast<double>(statistics.rejected_steps);
  state.counters["evaluations"] = static_cast<double>(statistics.evaluations);
}

template <class Equations>
void LiftByHand(benchmark::State& state, double interval) {
  lifting::IdaCounters counters;
  for (auto _ : state) {
    const lifting::IdaRun run = lifting::SolveWithIda<Equations>({.interval = interval});
    benchmark::DoNotOptimize(run.values.data());
    counters = run.counters;
  }
  state.counters["real_time_factor"] =
      benchmark::Counter(lifting::kStopTime, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["steps"] = static_cast<double>(counters.steps);
  state.counters["rejected"] = static_cast<double>(counters.rejected);
  state.counters["evaluations"] = static_cast<double>(counters.evaluations);
}

template <class Equations>
void RegisterByHand(const std::string& level) {
  benchmark::RegisterBenchmark((level + "/by hand/10 ms").c_str(), LiftByHand<Equations>, 10e-3)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark((level + "/by hand/1 ms").c_str(), LiftByHand<Equations>, 1e-3)
      ->Unit(benchmark::kMillisecond);
}

int Register() {
  RegisterByHand<lifting::Ideal>("Ideal");
  RegisterByHand<lifting::Standard>("Standard");
  RegisterByHand<lifting::Advanced>("Advanced");
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    for (const char* method : {"runge_kutta_dopri5", "rosenbrock4"}) {
      for (const char* time_step : {"10 ms", "1 ms"}) {
        benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", level, method, time_step).c_str(), Lift, method,
                                     level, time_step)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return 0;
}
const int registered = Register();

}  // namespace
}  // namespace davit
