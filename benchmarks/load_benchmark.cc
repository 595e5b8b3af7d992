// How long a system of 5,000 components takes from its text to the first step: reading, checking, cutting
// into islands and sorting. Target: 0.3 s.
//
// Chains of ten: a hydraulic network (tank, orifices, volumes) or a signal chain (sources, gains, filters,
// integrators), with units in the values and one route or connection a component.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

std::string Header() {
  return "<System name=\"many\"><SimulatorManager TimeStep=\"1 ms\" StopTime=\"1 s\">"
         "<Integration solver=\"ODE\" method=\"runge_kutta_dopri5\" rtol=\"1e-6\"/></SimulatorManager>\n";
}

std::string SignalSystem(std::int64_t components) {
  std::string text = Header();
  for (std::int64_t i = 0; i < components / 10; ++i) {
    text += fmt::format("<signal.Sine name=\"s{0}\" amplitude=\"2\" frequency=\"10 rad/s\"/>\n", i);
    std::string last = fmt::format("s{}.y", i);
    for (int k = 0; k < 3; ++k) {
      text += fmt::format(
          "<signal.Gain name=\"g{0}_{1}\" gain=\"{2}\"/><Route from=\"{3}\" to=\"g{0}_{1}.u\"/>\n"
          "<signal.LowPass name=\"f{0}_{1}\" time_constant=\"20 ms\"/><Route from=\"g{0}_{1}.y\" "
          "to=\"f{0}_{1}.u\"/>\n"
          "<signal.Integrator name=\"i{0}_{1}\" gain=\"0.5\"><Start y=\"1\"/></signal.Integrator>"
          "<Route from=\"f{0}_{1}.y\" to=\"i{0}_{1}.u\"/>\n",
          i, k, 1 + k, last);
      last = fmt::format("i{}_{}.y", i, k);
    }
  }
  return text + "<Record signals=\"*.y\" interval=\"10 ms\"/></System>";
}

std::string HydraulicSystem(std::int64_t components) {
  std::string text = Header();
  for (std::int64_t i = 0; i < components / 10; ++i) {
    text += fmt::format("<hydraulic.Tank name=\"t{}\"/>\n", i);
    std::string last = fmt::format("t{}.port", i);
    for (int k = 0; k < 4; ++k) {
      text += fmt::format(
          "<hydraulic.Orifice name=\"o{0}_{1}\" area=\"3 mm2\"/>"
          "<hydraulic.Volume name=\"v{0}_{1}\" volume=\"1 l\"><Start p=\"{2} bar\"/></hydraulic.Volume>\n"
          "<Connect from=\"o{0}_{1}.a\" to=\"{3}\"/><Connect from=\"o{0}_{1}.b\" to=\"v{0}_{1}.port\"/>\n",
          i, k, 10 + k, last);
      last = fmt::format("v{}_{}.port", i, k);
    }
    text += fmt::format("<signal.Constant name=\"c{}\" value=\"1\"/>\n", i);
  }
  return text + "<Record signals=\"*.p\" interval=\"10 ms\"/></System>";
}

void LoadAndBuild(benchmark::State& state, std::string (*make)(std::int64_t)) {
  const std::string text = make(state.range(0));
  const Registry registry = AllModels();
  std::size_t components = 0;
  std::size_t islands = 0;
  for (auto _ : state) {
    const auto simulation = Simulation::LoadText(text, "many.xml", registry).Take();
    components = simulation->statistics().components;
    islands = simulation->statistics().islands;
  }
  state.counters["components"] = static_cast<double>(components);
  state.counters["islands"] = static_cast<double>(islands);
}

BENCHMARK_CAPTURE(LoadAndBuild, signals, SignalSystem)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LoadAndBuild, hydraulics, HydraulicSystem)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
