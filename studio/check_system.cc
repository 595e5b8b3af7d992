#include "studio/check_system.h"

#include <chrono>
#include <utility>

#include "drawing/scene.h"
#include "session/simulation.h"
#include "studio/lone_chart.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

std::string InFolder(std::string text, const Folder& folder) {
  const std::string root = folder.root().string() + '/';
  for (std::size_t at = 0; (at = text.find(root, at)) != std::string::npos;) text.erase(at, root.size());
  return text;
}

Json FaultsToJson(const Diagnostics& diagnostics, const Folder& folder) {
  const std::string root = folder.root().string() + '/';
  Json faults = Json::array();
  for (const Diagnostic& one : diagnostics.SortedByPlace()) {
    const std::string file = one.location.file == nullptr ? std::string() : *one.location.file;
    // Includes are named as they were written: boom/../mast.xml.
    faults.push_back({{"file", file.starts_with(root) ? folder.Find(file).value_or(file) : file},
                      {"line", one.location.line},
                      {"path", one.path.starts_with('/') ? one.path.substr(1) : one.path},
                      {"severity", one.severity == Severity::kError ? "error" : "warning"},
                      {"text", InFolder(one.fault.what, folder)},
                      {"remedy", InFolder(one.fault.remedy, folder)}});
  }
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
    diagnostics.Add(loaded.diagnostics);
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

std::string DescribeStartPose(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                              const std::string& path, Texts unsaved) {
  Diagnostics diagnostics;
  const EditedSystem edited(folder, models, path, std::move(unsaved), diagnostics);
  Json json{{"scene", nullptr}};
  if (edited.is_readable()) {
    LoadedSimulation loaded = Simulation::LoadText(edited.text(), edited.file(), edited.registry(),
                                                   {.load = edited.load_options(), .log = [](auto, auto) {}});
    diagnostics.Add(loaded.diagnostics);
    if (loaded.simulation != nullptr) {
      Simulation& simulation = *loaded.simulation;
      try {
        simulation.Initialize();
        const std::vector<std::string> signals = SignalsOf(CollectScene(simulation.system()));
        json["values"] = Json::object();
        for (const std::string& signal : signals) json["values"][signal] = simulation.Read(signal);
        json["scene"] = Json::parse(DescribeScene(simulation.system()));
      } catch (const SimulationFailure& failure) {
        json["fault"] = failure.what();
      }
    }
  }
  json["faults"] = FaultsToJson(diagnostics, *folder);
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
