// What it costs that a host writes an input a thousand times a second, as an FMI master or a HIL program
// does: the lifting system at TimeStep 1 ms whose spool follows 0.5 sin(2 pi t), written by handle before
// each step. The counters say how many steps and evaluations of the solver a simulated second takes, for
// comparison where the host holds the value and where nothing is written; counts do not depend on the
// machine.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "components/register.h"
#include "davit/simulation.h"

namespace davit {
namespace {

enum class Host : std::uint8_t { kSilent, kHolds, kSine };

/// The lifting system without the route to the spool.
std::string SystemText(const std::string& method) {
  std::ifstream file(std::string(DAVIT_SOURCE_DIR) + "/systems/lifting_cylinder.xml");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto replace = [&](std::string_view from, std::string_view to) {
    const std::size_t begin = text.find(from);
    if (begin != std::string::npos) text.replace(begin, from.size(), to);
  };
  replace("<Route from=\"operator.y\" to=\"dcv.spool\"/>", "");
  replace("TimeStep=\"10 ms\"", "TimeStep=\"1 ms\"");
  replace("method=\"rosenbrock4\"", "method=\"" + method + "\"");
  return text;
}

void WriteInput(benchmark::State& state, const std::string& method, Host host) {
  const Registry registry = AllModels();
  const auto simulation = Simulation::LoadText(SystemText(method), "lifting_cylinder.xml", registry).Take();
  const ItemList spool = simulation->Items({"dcv.spool"});
  constexpr int kSteps = 2000;
  for (auto _ : state) {
    simulation->Initialize();
    for (int i = 0; i < kSteps; ++i) {
      const double t = simulation->time();
      const std::array value{host == Host::kSine ? 0.5 * std::sin(2 * std::numbers::pi * t) : 0.5};
      if (host != Host::kSilent) simulation->Write(spool, value);
      simulation->Step();
    }
  }
  const RunStatistics statistics = simulation->statistics();
  const double seconds = simulation->time();
  state.counters["steps_per_s"] = static_cast<double>(statistics.solver_steps) / seconds;
  state.counters["rejected_per_s"] = static_cast<double>(statistics.rejected_steps) / seconds;
  state.counters["evaluations_per_s"] = static_cast<double>(statistics.evaluations) / seconds;
}

BENCHMARK_CAPTURE(WriteInput, rosenbrock4_silent, "rosenbrock4", Host::kSilent)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteInput, rosenbrock4_holds, "rosenbrock4", Host::kHolds)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteInput, rosenbrock4_sine, "rosenbrock4", Host::kSine)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteInput, dopri5_silent, "runge_kutta_dopri5", Host::kSilent)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteInput, dopri5_holds, "runge_kutta_dopri5", Host::kHolds)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteInput, dopri5_sine, "runge_kutta_dopri5", Host::kSine)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
