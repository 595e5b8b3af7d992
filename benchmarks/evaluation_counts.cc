// What the implicit methods take: steps, rejected steps and evaluations of each system of systems/ that they
// solve, at each level, as a table. Counts do not depend on the machine.
//
//     bin/benchmarks/evaluation_counts [system ...]

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/islands/island.h"
#include "simulator/solvers/integrator.h"

namespace davit {
namespace {

struct Counted {
  std::filesystem::path file;
  std::vector<std::string> set;
};

/// The systems whose islands one of the implicit methods solves.
std::vector<Counted> ListSystems(const std::vector<std::string>& names) {
  std::vector<Counted> systems;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(DAVIT_SOURCE_DIR) / "systems")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string name = entry.path().stem().string();
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    Counted counted{entry.path(), {}};
    // Later it does at Advanced what it did before.
    if (name == "knuckle_boom_crane") counted.set = {"SimulatorManager.StopTime=5 s"};
    systems.push_back(std::move(counted));
  }
  std::sort(systems.begin(), systems.end(),
            [](const Counted& a, const Counted& b) { return a.file < b.file; });
  return systems;
}

/// A row of the table; empty where the level is none of the system, or no implicit method is used.
std::string Row(const Counted& system, const std::string& level, const Registry& registry) {
  SimulationOptions options;
  options.load.level = {"*=" + level};
  options.load.set = system.set;
  options.log = [](RunLog::Severity /*severity*/, std::string_view /*line*/) {};
  auto loaded = Simulation::Load(system.file, registry, options);
  if (loaded.simulation == nullptr) return {};
  const auto simulation = std::move(loaded).Take();
  const auto& islands = simulation->manager().islands();
  const bool is_implicit = std::any_of(islands.begin(), islands.end(), [](const auto& island) {
    const OdeMethod* const method = FindOdeMethod(island->options().method);
    return island->is_implicit() || (method != nullptr && method->needs_jacobian && method->name != "auto");
  });
  if (!is_implicit) return {};
  simulation->Initialize();
  simulation->Run();
  const RunStatistics statistics = simulation->statistics();
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", system.file.stem().string(), level,
                     statistics.solver_steps, statistics.rejected_steps, statistics.evaluations);
}

}  // namespace
}  // namespace davit

int main(int count, char** arguments) try {
  const davit::Registry registry = davit::AllModels();
  fmt::print("| system | level | steps | rejected | evaluations |\n| --- | --- | ---: | ---: | ---: |\n");
  for (const auto& system : davit::ListSystems({arguments + 1, arguments + count})) {
    for (const char* level : {"Ideal", "Standard", "Advanced"}) {
      fmt::print("{}", davit::Row(system, level, registry));
      std::fflush(stdout);
    }
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
