// What an editor waits for: a system of a folder is checked, and laid out, with places of its own and
// without.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>

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

/// Volumes that orifices join with others nearby: all hang together.
std::string Net(int components) {
  std::string text = "<System name=\"circuits\" xmlns=\"urn:davit:system:1\">\n";
  const int volumes = components / 3;
  for (int i = 0; i < volumes; ++i)
    text +=
        fmt::format("  <hydraulic.Volume name=\"volume{}\" volume=\"1 l\" bulk_modulus=\"1.6e9 Pa\"/>\n", i);
  std::mt19937 random(1);
  for (int i = 0; i < 2 * volumes; ++i) {
    const int from = i / 2, to = (from + 1 + static_cast<int>(random() % 30)) % volumes;
    text += fmt::format(
        "  <hydraulic.Orifice name=\"orifice{0}\" area=\"20 mm2\"/>\n"
        "  <Connect from=\"orifice{0}.a\" to=\"volume{1}.port\"/>\n"
        "  <Connect from=\"orifice{0}.b\" to=\"volume{2}.port\"/>\n",
        i, from, to);
  }
  return text + "</System>\n";
}

class Studio {
 public:
  Studio() : folder_(std::make_shared<const Folder>(std::filesystem::temp_directory_path())) {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
  }
  template <class Make>
  void Measure(benchmark::State& state, Make make, std::string text) {
    const Texts texts{{"circuits.xml", std::move(text)}};
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

int CountOf(const benchmark::State& state) { return static_cast<int>(state.range(0)); }

void CheckCircuits(benchmark::State& state) {
  Studio().Measure(state, CheckSystem, Circuits(CountOf(state), false));
}
void LayOutPlaced(benchmark::State& state) {
  Studio().Measure(state, LayOutSystem, Circuits(CountOf(state), true));
}
void LayOutUnplaced(benchmark::State& state) {
  Studio().Measure(state, LayOutSystem, Circuits(CountOf(state), false));
}
void LayOutJoined(benchmark::State& state) { Studio().Measure(state, LayOutSystem, Net(CountOf(state))); }

BENCHMARK(CheckCircuits)->Arg(500)->Arg(5000)->Unit(benchmark::kMillisecond);
BENCHMARK(LayOutPlaced)->Arg(500)->Arg(5000)->Unit(benchmark::kMillisecond);
BENCHMARK(LayOutUnplaced)->Arg(500)->Arg(5000)->Iterations(1)->Unit(benchmark::kMillisecond);

BENCHMARK(LayOutJoined)->Arg(500)->Arg(5000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace davit
