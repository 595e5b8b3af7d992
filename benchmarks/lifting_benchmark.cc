// How much faster than real time the lifting system runs: 50 s, rtol 1e-6. Targets: 400 at level Standard
// with TimeStep 10 ms, 250 with 1 ms, 100 at level Advanced, by the better of the two methods. Beside it the
// same equations written out by hand around IDA, and around davit's own RODAS with coloured differences.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/jacobian_pattern.h"
#include "tests/support/lifting_ida.h"

namespace davit {
namespace {

void Lift(benchmark::State& state, const std::string& method, const std::string& level,
          const std::string& time_step) {
  const Registry registry = AllModels();
  LoadOptions options;
  options.level = {"*=" + level};
  if (level == "Advanced") options.set = lifting::OptionsByHand();
  options.set.push_back("SimulatorManager.Integration.method=" + method);
  options.set.push_back("SimulatorManager.TimeStep=" + time_step);
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

/// Which states each equation reads, seen along the solution: a column is shifted at each of many states.
template <class Equations>
JacobianPattern SeePattern() {
  constexpr std::size_t n = Equations::kSize;
  std::vector<std::vector<bool>> reads(n, std::vector<bool>(n));
  typename Equations::Vector y = Equations::Start(), before{}, after{};
  Equations system;
  std::uint64_t random = 1;
  const auto next = [&] {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(random >> 40) / (1 << 24);
  };
  for (int sample = 0; sample < 20'000; ++sample) {
    constexpr lifting::Side kSides[] = {lifting::Side::kNeutral, lifting::Side::kHoist,
                                        lifting::Side::kLower};
    system.side = kSides[sample % 3];
    const double t = 50 * next();
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::pow(10, 4 * next() - 1.5) * Equations::kNominal[i];
      y[i] = next() < 0.7 ? size : -size;
    }
    system.Evaluate(t, y.data(), before.data());
    for (std::size_t j = 0; j < n; ++j) {
      const double kept = std::exchange(y[j], y[j] + 1e-3 * Equations::kNominal[j]);
      system.Evaluate(t, y.data(), after.data());
      for (std::size_t i = 0; i < n; ++i) reads[i][j] = reads[i][j] || after[i] != before[i];
      y[j] = kept;
    }
  }
  std::vector<std::vector<std::uint32_t>> rows(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (reads[i][j]) rows[i].push_back(j);
    }
  }
  return JacobianPattern(std::move(rows));
}

template <class Equations>
void LiftByRodas(benchmark::State& state, double interval) {
  Equations system;
  SolverProblem problem;
  problem.size = Equations::kSize;
  problem.context = &system;
  problem.evaluate = [](void* context, const double* y, double* ddt, double t) {
    static_cast<Equations*>(context)->Evaluate(t, y, ddt);
  };
  problem.nominal.assign(Equations::kNominal.begin(), Equations::kNominal.end());
  problem.pattern = SeePattern<Equations>();
  IntegratorCounters counters;
  for (auto _ : state) {
    const auto integrator = MakeIntegrator(problem, {.method = "rosenbrock4"});
    const auto start = Equations::Start();
    std::vector<double> y(start.begin(), start.end());
    std::size_t row = 1;
    for (const lifting::Interval& part : lifting::Intervals(Equations::kLargestNeutral)) {
      system.side = part.side;
      integrator->Restart(part.begin, y, Integrator::RestartKind::kNewProblem);
      for (double t = static_cast<double>(row) * interval; t <= part.end;
           t = static_cast<double>(++row) * interval) {
        integrator->AdvanceTo(t, part.end, y);
        benchmark::DoNotOptimize(system.Read(y.data()));
      }
      integrator->AdvanceTo(part.end, part.end, y);
    }
    counters = integrator->counters();
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
  benchmark::RegisterBenchmark((level + "/RODAS by hand/10 ms").c_str(), LiftByRodas<Equations>, 10e-3)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark((level + "/by hand/1 ms").c_str(), LiftByHand<Equations>, 1e-3)
      ->Unit(benchmark::kMillisecond);
}

int Register() {
  RegisterByHand<lifting::Ideal>("Ideal");
  RegisterByHand<lifting::Standard>("Standard");
  RegisterByHand<lifting::Advanced>("Advanced");
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    for (const char* method : {"runge_kutta_dopri5", "rosenbrock4", "rodas5p", "auto"}) {
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
