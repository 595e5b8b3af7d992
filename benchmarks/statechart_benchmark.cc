// What an event and an idle step of a statechart cost. Targets: 100 ns an event with entry and exit actions,
// 140 ns an idle step with three guards. For comparison the same chart as a hand-written switch.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "statecharts/chart_loader.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

std::shared_ptr<const Chart> Load(const std::string& text, ChartHost* host = nullptr) {
  Diagnostics diagnostics;
  ChartLoadOptions options;
  options.host = host;
  std::shared_ptr<const Chart> chart = LoadChartText(text, "benchmark.scxml", options, diagnostics);
  if (chart == nullptr) std::abort();
  return chart;
}

/// Two regions, five states that count their entries and exits.
std::string SmallChart() {
  const auto state = [](const std::string& id, const std::string& content) {
    return "<state id='" + id + "'><onentry><assign location='entries' expr='entries + 1'/></onentry>" +
           "<onexit><assign location='exits' expr='exits + 1'/></onexit>" + content + "</state>";
  };
  const auto go = [](const std::string& event, const std::string& target) {
    return "<transition event='" + event + "' target='" + target + "'/>";
  };
  return "<scxml version='1.0'><datamodel><data id='entries' expr='0'/><data id='exits' "
         "expr='0'/></datamodel>"
         "<parallel id='valve'><state id='level'>" +
         state("ideal", go("up", "standard")) + "<state id='standard'>" +
         state("lin", go("sat", "saturated")) + state("saturated", go("unsat", "lin")) +
         go("up", "advanced") + go("down", "ideal") + "</state>" + state("advanced", go("down", "standard")) +
         "</state><state id='power'>" + state("on", go("toggle", "off")) + state("off", go("toggle", "on")) +
         "</state></parallel></scxml>";
}

constexpr std::array<const char*, 8> kCycle{"up", "sat", "toggle", "unsat", "up", "toggle", "down", "down"};

void Event_SmallChart(benchmark::State& state) {
  SessionTable table(Load(SmallChart()), nullptr, nullptr);
  table.Start(0);
  std::array<SymbolId, kCycle.size()> events;
  for (std::size_t i = 0; i < kCycle.size(); ++i) events[i] = table.session().MakeEvent(kCycle[i]).name;
  for (auto _ : state) {
    for (const SymbolId event : events) {
      table.session().Send(Event(event));
      table.session().ProcessExternalEvent();
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCycle.size()));
}
BENCHMARK(Event_SmallChart);

void Event_SmallChartByStep(benchmark::State& state) {
  SessionTable table(Load(SmallChart()), nullptr, nullptr);
  table.Start(0);
  std::array<SymbolId, kCycle.size()> events;
  for (std::size_t i = 0; i < kCycle.size(); ++i) events[i] = table.session().MakeEvent(kCycle[i]).name;
  double time = 0;
  for (auto _ : state) {
    for (const SymbolId event : events) {
      table.session().Send(Event(event));
      table.Step(time += 1e-3);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCycle.size()));
}
BENCHMARK(Event_SmallChartByStep);

/// The same machine by hand; what any interpreter is measured against.
void Event_HandWritten(benchmark::State& state) {
  enum { kUp, kSat, kToggle, kUnsat, kDown };
  constexpr std::array<int, 8> kEvents{kUp, kSat, kToggle, kUnsat, kUp, kToggle, kDown, kDown};
  int level = 0;
  int power = 0;
  int entries = 0;
  for (auto _ : state) {
    for (const int event : kEvents) {
      benchmark::DoNotOptimize(level);
      switch (event) {
        case kUp: level = level == 0 ? 1 : 3; break;
        case kDown: level = level == 3 ? 1 : 0; break;
        case kSat: level = 2; break;
        case kUnsat: level = 1; break;
        default: power = 1 - power;
      }
      ++entries;
    }
    benchmark::DoNotOptimize(power);
    benchmark::DoNotOptimize(entries);
  }
  state.SetItemsProcessed(state.iterations() * 8);
}
BENCHMARK(Event_HandWritten);

void Event_NobodyTakes(benchmark::State& state) {
  SessionTable table(Load(SmallChart()), nullptr, nullptr);
  table.Start(0);
  const SymbolId event = table.session().MakeEvent("unsat").name;
  for (auto _ : state) {
    table.session().Send(Event(event));
    table.session().ProcessExternalEvent();
  }
}
BENCHMARK(Event_NobodyTakes);

/// A system with signals that change each step.
class Signals final : public ChartHost {
 public:
  std::optional<Found> FindSignal(std::string_view path, SymbolTable& /*symbols*/) override {
    return Found{static_cast<std::uint32_t>(path.back() - 'a'), ValueType::kNumber};
  }
  std::optional<Found> FindProperty(std::string_view /*path*/, SymbolTable& /*symbols*/) override {
    return {};
  }
  std::optional<std::uint32_t> FindMessage(std::string_view /*to*/, std::string_view /*message*/) override {
    return {};
  }
  std::string Suggest(std::string_view /*path*/) const override { return {}; }
  double ReadSignal(std::uint32_t handle) const override { return values[handle]; }
  bool WriteProperty(std::uint32_t /*handle*/, double /*value*/) override { return true; }
  void SendMessage(std::uint32_t /*handle*/) override {}

  std::array<double, 26> values{};
};

constexpr const char* kGuards =
    "<scxml version='1.0'><datamodel><data id='limit' expr='5'/></datamodel>"
    "<state id='s'><state id='a'>"
    "<transition cond='u_a lt -limit and p_b gt 3' target='b'/>"
    "<transition cond='abs(u_a) gt 2*limit' target='b'/></state><state id='b'/>"
    "<transition cond='p_b gt 100 or p_c gt 100' target='t'/></state><state id='t'/></scxml>";

void IdleStep_ThreeGuards(benchmark::State& state) {
  Signals host;
  SessionTable table(Load(kGuards, &host), &host, nullptr);
  table.Start(0);
  double time = 0;
  for (auto _ : state) {
    host.values[0] = -host.values[0] + 1;  // a signal has changed: all guards are looked at
    table.Step(time += 1e-3);
  }
}
BENCHMARK(IdleStep_ThreeGuards);

void IdleStep_NothingChanged(benchmark::State& state) {
  Signals host;
  SessionTable table(Load(kGuards, &host), &host, nullptr);
  table.Start(0);
  double time = 0;
  for (auto _ : state) table.Step(time += 1e-3);
}
BENCHMARK(IdleStep_NothingChanged);

/// All of N regions change their state at one event.
void Event_Regions(benchmark::State& state) {
  std::string text = "<scxml version='1.0'><parallel id='p'>";
  for (int i = 0; i < state.range(0); ++i) {
    const std::string n = std::to_string(i);
    text += "<state id='r" + n + "'><state id='a" + n + "'><transition event='e' target='b" + n +
            "'/></state>" + "<state id='b" + n + "'><transition event='e' target='a" + n +
            "'/></state></state>";
  }
  SessionTable table(Load(text + "</parallel></scxml>"), nullptr, nullptr);
  table.Start(0);
  const SymbolId event = table.session().MakeEvent("e").name;
  for (auto _ : state) {
    table.session().Send(Event(event));
    table.session().ProcessExternalEvent();
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(Event_Regions)->RangeMultiplier(2)->Range(4, 256)->Complexity();

/// A transition between two states that lie N levels deep.
void Event_Deep(benchmark::State& state) {
  std::string text;
  std::string end;
  for (int i = 0; i < state.range(0); ++i) {
    text += "<state id='s" + std::to_string(i) + "'>";
    end += "</state>";
  }
  const std::string chart = "<scxml version='1.0'><state id='top' initial='a'>" + text +
                            "<state id='a'><transition event='e' target='b'/></state>" + end +
                            "<state id='b'><transition event='e' target='a'/></state></state></scxml>";
  SessionTable table(Load(chart), nullptr, nullptr);
  table.Start(0);
  const SymbolId event = table.session().MakeEvent("e").name;
  for (auto _ : state) {
    table.session().Send(Event(event));
    table.session().ProcessExternalEvent();
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(Event_Deep)->RangeMultiplier(2)->Range(4, 64)->Complexity();

}  // namespace
}  // namespace davit
