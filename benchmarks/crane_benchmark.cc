// How much faster than real time the knuckle boom crane lifts: 120 s on one thread. Targets: 20 with the
// levels that its chart chooses, 200 with all at Ideal. Beside it one evaluation of the equations of the
// steel.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>

#include "components/crane/crane_dynamics.h"
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

void EquationsOfTheSteel(benchmark::State& state) {
  CraneBody body;
  body.boom = {10, 5000, 4.5, 41667};
  body.knuckle = {7, 2500, 3, 10208};
  body.tip_mass = 1e4;
  CranePose pose{0.1, 0.5, -1, 0.1, 0.02, 0.03};
  for (auto _ : state) {
    benchmark::DoNotOptimize(pose);
    CraneTerms terms = ComputeCraneTerms(body, pose, {});
    benchmark::DoNotOptimize(terms);
  }
}
BENCHMARK(EquationsOfTheSteel);

}  // namespace
}  // namespace davit
