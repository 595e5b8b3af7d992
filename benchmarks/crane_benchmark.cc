// How much faster than real time the knuckle boom crane lifts: 120 s on one thread. Targets: 20 with the
// levels that its chart chooses, 200 with all at Ideal.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

void Lift(benchmark::State& state, const LoadOptions& options) {
  const Registry registry = AllModels();
  const auto file = std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "knuckle_boom_crane.xml";
  const auto simulation = Simulation::Load(file, registry, {.load = options}).Take();
  for (auto _ : state) {
    simulation->Initialize();
    simulation->Run();
  }
  const RunStatistics statistics = simulation->statistics();
  state.counters["real_time_factor"] =
      benchmark::Counter(statistics.simulated, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["steps"] = static_cast<double>(statistics.solver_steps);
  state.counters["evaluations"] = static_cast<double>(statistics.evaluations);
}

void MixedLevels(benchmark::State& state) { Lift(state, {}); }
BENCHMARK(MixedLevels)->Unit(benchmark::kMillisecond);

void AllIdeal(benchmark::State& state) { Lift(state, {.level = {"*=Ideal"}}); }
BENCHMARK(AllIdeal)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
