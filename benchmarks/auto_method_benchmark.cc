// Method auto beside the better of two methods chosen by hand, on published problems that are stiff and such
// that are not, and on the lifting system. Target: at most 1.3 times the better one.
//
// `evaluations` does not depend on the machine; `steps` are accepted ones, `switches` those of the method.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <string>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/solver_problems.h"
#include "tests/support/test_models.h"

namespace davit {
namespace {

struct Problem {
  const char* name;
  const char* component;
  const char* stop_time;
  const char* tolerances;
};
constexpr Problem kProblems[] = {
    // Stiff: IVP Test Set (Bari); Enright, Hull and Lindberg.
    {"HIRES", "<test.Hires name='m'/>", "321.8122", "rtol='1e-6' atol='1e-6'"},
    {"Robertson", "<test.Robertson name='m'/>", "1e11", "rtol='1e-6' atol='1e-8'"},
    {"E5", "<test.E5 name='m'/>", "1e13", "rtol='1e-6' atol='1e-6'"},
    {"VanDerPol_1000", "<test.VanDerPol name='m' mu='1000'/>", "2000", "rtol='1e-6' atol='1e-6'"},
    {"VanDerPol_30", "<test.VanDerPol name='m' mu='30'/>", "200", "rtol='1e-6' atol='1e-6'"},
    {"ProtheroRobinson", "<test.ProtheroRobinson name='m' rate='1e4'/>", "10", "rtol='1e-6' atol='1e-6'"},
    // Not stiff.
    {"VanDerPol_1", "<test.VanDerPol name='m' mu='1'/>", "200", "rtol='1e-6' atol='1e-6'"},
    {"Oscillator", "<test.Oscillator name='m'/>", "200", "rtol='1e-6' atol='1e-6'"},
    {"Kepler", "<test.Kepler name='m'/>", "100", "rtol='1e-6' atol='1e-6'"},
    {"Pleiades", "<test.Pleiades name='m'/>", "3", "rtol='1e-6' atol='1e-6'"},
};

const Registry& Models() {
  static const Registry registry = [] {
    Registry models = AllModels();
    RegisterTestModels(models);
    RegisterSolverProblems(models);
    return models;
  }();
  return registry;
}

void Time(benchmark::State& state, Simulation& simulation) {
  RunStatistics statistics;
  for (auto _ : state) {
    simulation.Initialize();
    simulation.Run();
    statistics = simulation.statistics();
  }
  state.counters["steps"] = static_cast<double>(statistics.solver_steps);
  state.counters["rejected"] = static_cast<double>(statistics.rejected_steps);
  state.counters["evaluations"] = static_cast<double>(statistics.evaluations);
  state.counters["switches"] = static_cast<double>(statistics.method_switches);
}

void Solve(benchmark::State& state, const Problem& problem, const std::string& method) {
  const std::string text = fmt::format(
      "<System name='s'><SimulatorManager TimeStep='{0}' StopTime='{0}'><Integration solver='ODE' "
      "method='{1}' {2}/></SimulatorManager>{3}</System>",
      problem.stop_time, method, problem.tolerances, problem.component);
  const std::unique_ptr<Simulation> simulation = Simulation::LoadText(text, "problem.xml", Models()).Take();
  Time(state, *simulation);
}

void Lift(benchmark::State& state, const std::string& level, const std::string& method) {
  SimulationOptions options;
  options.load.level = {"*=" + level};
  options.load.set = {"SimulatorManager.Integration.method=" + method,
                      "SimulatorManager.Integration.rtol=1e-6"};
  options.log = [](RunLog::Severity /*severity*/, std::string_view /*line*/) {};
  const std::unique_ptr<Simulation> simulation =
      Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/lifting_cylinder.xml", Models(), options)
          .Take();
  Time(state, *simulation);
}

int Register() {
  constexpr const char* kMethods[] = {"runge_kutta_dopri5", "rodas5p", "auto"};
  for (const Problem& problem : kProblems) {
    // Too stiff: millions of steps.
    const std::string_view name = problem.name;
    const bool is_hopeless = name == "Robertson" || name == "E5";
    for (const char* method : kMethods) {
      if (is_hopeless && method == kMethods[0]) continue;
      benchmark::RegisterBenchmark(fmt::format("{}/{}", name, method).c_str(), Solve, problem, method)
          ->Unit(benchmark::kMillisecond);
    }
  }
  for (const char* level : {"Ideal", "Standard"}) {
    for (const char* method : kMethods) {
      benchmark::RegisterBenchmark(fmt::format("Lifting_{}/{}", level, method).c_str(), Lift, level, method)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return 0;
}
const int registered = Register();

}  // namespace
}  // namespace davit
