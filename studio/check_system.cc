#include "studio/check_system.h"

#include <chrono>
#include <utility>

#include "session/simulation.h"
#include "studio/lone_chart.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

Json ToJson(const StudioFault& fault) {
  return {{"file", fault.file}, {"line", fault.line},
          {"path", fault.path}, {"severity", fault.is_error ? "error" : "warning"},
          {"text", fault.text}, {"remedy", fault.remedy}};
}

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

Json FaultsToJson(const Diagnostics& diagnostics, const Folder& folder) {
  Json faults = Json::array();
  for (const StudioFault& fault : ListFaults(diagnostics, folder)) faults.push_back(ToJson(fault));
  return faults;
}

std::string CheckSystem(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                        const std::string& path, Texts unsaved) {
  const Clock::time_point begin = Clock::now();
  Diagnostics diagnostics;
  const EditedSystem edited(folder, models, path, std::move(unsaved), diagnostics);
  Json json;
  if (edited.is_readable()) {
    LoadedSimulation loaded = Simulation::LoadText(edited.text(), edited.file(), edited.registry(),
                                                   {.load = edited.load_options(), .log = [](auto, auto) {}});
    AddAll(loaded.diagnostics, diagnostics);
    if (loaded.simulation != nullptr) {
      loaded.simulation->manager().CheckStart(diagnostics);
      const RunStatistics statistics = loaded.simulation->statistics();
      json["components"] = statistics.components;
      json["states"] = statistics.states;
      json["islands"] = statistics.islands;
    }
  }
  json["can_run"] = !diagnostics.has_errors();
  json["faults"] = FaultsToJson(diagnostics, *folder);
  json["wall_ms"] = MillisecondsSince(begin);
  return DumpJson(json);
}

std::string CheckChart(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                       const std::string& path, Texts unsaved) {
  const Clock::time_point begin = Clock::now();
  Diagnostics diagnostics;
  const LoneChart lone(folder, models, path, std::move(unsaved), diagnostics);
  Json json;
  if (lone.chart() != nullptr) {
    std::size_t transitions = 0;
    for (const State& state : lone.chart()->states) transitions += state.transitions.size();
    json["states"] = lone.chart()->states.size() - 1;
    json["transitions"] = transitions;
  }
  json["can_run"] = lone.chart() != nullptr;
  json["faults"] = FaultsToJson(diagnostics, *folder);
  json["wall_ms"] = MillisecondsSince(begin);
  return DumpJson(json);
}

}  // namespace davit
