// Cases a second of a sweep of the lifting system, 10 s each, over its load: on one and two workers, and
// beside it what one `davit run` after the other does without starting a program: load, check, run. `loads`
// counts how often the system was read; `speedup` is the time of the separate runs over that of the sweep, in
// the same process.

#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/study/case_pool.h"
#include "components/register.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCases = 50;

double MassOf(int i) { return 5000 + 200.0 * i; }

CaseSetup LiftingSetup() {
  CaseSetup setup{.system = std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml"};
  setup.options.load.set = {"SimulatorManager.StopTime=10 s"};
  setup.options.log = [](RunLog::Severity, std::string_view) {};
  setup.items = {{.path = "load.mass", .unit = "kg", .is_live = true}};
  setup.measures = {{"top", "max(load.x)", {}}, {"peak", "max(cylinder.p_a)", {}}};
  return setup;
}

double SecondsOfSeparateRuns(const Registry& registry) {
  const CaseSetup setup = LiftingSetup();
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < kCases; ++i) {
    SimulationOptions options = setup.options;
    options.load.set.push_back("load.mass=" + std::to_string(MassOf(i)));
    const auto simulation = Simulation::Load(setup.system, registry, options).Take();
    simulation->Initialize();
    simulation->Run();
  }
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void Sweep(benchmark::State& state) {
  const Registry registry = AllModels();
  std::vector<std::vector<CaseValue>> cases;
  for (int i = 0; i < kCases; ++i) cases.push_back({{.number = MassOf(i)}});
  const std::stop_token stop;
  double of_sweeps = 0, of_runs = 0;
  for (auto _ : state) {
    CasePool pool(LiftingSetup(), registry, static_cast<unsigned>(state.range(0)));
    const Clock::time_point begin = Clock::now();
    benchmark::DoNotOptimize(pool.Run(cases, stop));
    of_sweeps += std::chrono::duration<double>(Clock::now() - begin).count();
    state.PauseTiming();
    of_runs += SecondsOfSeparateRuns(registry);
    state.ResumeTiming();
  }
  state.counters["cases_per_s"] = kCases * static_cast<double>(state.iterations()) / of_sweeps;
  state.counters["speedup"] = of_runs / of_sweeps;
}

BENCHMARK(Sweep)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
