// What an editor waits for: a system of a folder is checked, and laid out, with places of its own and
// without.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "components/register.h"
#include "simulator/simulator_manager.h"
#include "studio/check_system.h"
#include "studio/layout_system.h"

namespace davit {
namespace {

/// Pumps that each fill a volume, which empties through an orifice into a tank: five components a circuit.
std::string Circuits(int components, bool has_places) {
  std::string text =
      "<System name=\"circuits\" xmlns=\"urn:davit:system:1\">\n  <SimulatorManager TimeStep=\"1 ms\"/>\n";
  std::string places;
  const int circuits = components / 5;
  for (int i = 0; i < circuits; ++i) {
    text += fmt::format(
        "  <hydraulic.Tank name=\"tank{0}\"/>\n  <signal.Constant name=\"setting{0}\" value=\"1\"/>\n"
        "  <hydraulic.FlowSource name=\"source{0}\"/>\n"
        "  <hydraulic.Volume name=\"volume{0}\" volume=\"1 l\" bulk_modulus=\"1.6e9 Pa\"/>\n"
        "  <hydraulic.Orifice name=\"orifice{0}\" area=\"20 mm2\" discharge_coefficient=\"0.67\" "
        "density=\"870 kg/m3\"/>\n"
        "  <Connect from=\"source{0}.port\" to=\"volume{0}.port\"/>\n  <Connect from=\"orifice{0}.a\" "
        "to=\"volume{0}.port\"/>\n"
        "  <Connect from=\"orifice{0}.b\" to=\"tank{0}.port\"/>\n  <Route from=\"setting{0}.y\" "
        "to=\"source{0}.flow\"/>\n",
        i);
    const int x = 560 * (i % 32), y = 160 * (i / 32);
    int column = 0;
    for (const char* name : {"setting", "source", "volume", "orifice", "tank"})
      places += fmt::format("    <Place name=\"{}{}\" x=\"{}\" y=\"{}\"/>\n", name, i, x + 104 * column++, y);
  }
  if (has_places) text += "  <Layout>\n" + places + "  </Layout>\n";
  return text + "</System>\n";
}

class Studio {
 public:
  Studio() : folder_(std::make_shared<const Folder>(std::filesystem::temp_directory_path())) {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
  }
  template <class Make>
  void Measure(benchmark::State& state, Make make, bool has_places) {
    const Texts texts{{"circuits.xml", Circuits(static_cast<int>(state.range(0)), has_places)}};
    for (auto _ : state) {
      const std::string answer = make(folder_, StudioModels{registry_}, "circuits.xml", texts);
      if (answer.find("\"severity\":\"error\"") != std::string::npos)
        state.SkipWithError("the system has faults");
      state.counters["bytes"] = static_cast<double>(answer.size());
    }
  }

 private:
  Registry registry_;
  std::shared_ptr<const Folder> folder_;
};

void CheckCircuits(benchmark::State& state) { Studio().Measure(state, CheckSystem, false); }
void LayOutPlaced(benchmark::State& state) { Studio().Measure(state, LayOutSystem, true); }
void LayOutUnplaced(benchmark::State& state) { Studio().Measure(state, LayOutSystem, false); }

BENCHMARK(CheckCircuits)->Arg(500)->Arg(5000)->Unit(benchmark::kMillisecond);
BENCHMARK(LayOutPlaced)->Arg(500)->Arg(5000)->Unit(benchmark::kMillisecond);
BENCHMARK(LayOutUnplaced)->Arg(500)->Arg(5000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
