#include "fmi/fmu_events.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "simulator/charts/chart_binding.h"
#include "simulator/charts/chart_set.h"
#include "statecharts/chart.h"

namespace davit {
namespace {

/// Events that davit or the interpreter sends.
constexpr std::array<std::string_view, 7> kOwnEvents{"done",   "error",  "level",   "mode",
                                                     "aspect", "budget", "platform"};

bool IsOwnEvent(std::string_view event) {
  const std::string_view first = event.substr(0, event.find('.'));
  return std::ranges::find(kOwnEvents, first) != kOwnEvents.end();
}

/// What a chart raises or sends, as far as the names are given in it.
void AddSentEvents(const Chart& chart, std::set<std::string>& sent) {
  for (const Send& send : chart.sends) sent.insert(send.event.text);
  for (const Instruction& instruction : chart.instructions) {
    if (instruction.op == Op::kRaise) sent.insert(chart.symbols->Text(instruction.index));
  }
}

}  // namespace

std::vector<std::string> ListAllChartEvents(SimulatorManager& manager) {
  std::set<std::string> events;
  for (const ChartBinding* binding : manager.charts().charts()) {
    if (binding->is_default() || binding->chart() == nullptr) continue;
    for (const std::string& event : binding->chart()->descriptor_texts) {
      if (!event.empty() && !IsOwnEvent(event)) events.insert(event);
    }
  }
  return {events.begin(), events.end()};
}

std::vector<std::string> ListChartEvents(SimulatorManager& manager) {
  std::set<std::string> sent;
  for (const ChartBinding* binding : manager.charts().charts()) {
    if (binding->chart() != nullptr) AddSentEvents(*binding->chart(), sent);
  }
  std::vector<std::string> events = ListAllChartEvents(manager);
  std::erase_if(events, [&](const std::string& event) { return sent.contains(event); });
  return events;
}

}  // namespace davit
