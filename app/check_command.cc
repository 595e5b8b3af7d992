#include "app/check_command.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <utility>

#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/counted.h"

namespace davit {

std::unique_ptr<Simulation> LoadSimulation(const std::filesystem::path& file, const Registry& registry,
                                           const SimulationOptions& options, std::ostream& err,
                                           std::shared_ptr<const SystemDescription> description) {
  LoadedSimulation loaded =
      Simulation::Load({.file = file, .description = std::move(description)}, registry, options);
  PrintDiagnostics(loaded.diagnostics, err);
  return std::move(loaded.simulation);
}

int RunCheck(const std::filesystem::path& file, const Registry& registry, const LoadOptions& options,
             std::ostream& out, std::ostream& err) {
  const std::unique_ptr<Simulation> simulation = LoadSimulation(file, registry, {.load = options}, err);
  if (simulation == nullptr) return kWrongInput;
  Diagnostics of_start;
  simulation->manager().CheckStart(of_start);
  PrintDiagnostics(of_start, err);
  if (of_start.has_errors()) return kWrongInput;
  const RunStatistics statistics = simulation->statistics();
  out << fmt::format("{}: no errors; {}, {}, {}\n", file.string(),
                     Counted(statistics.components, "component"), Counted(statistics.states, "state"),
                     Counted(statistics.islands, "island"));
  return kDone;
}

void AddCheckCommand(CLI::App& command, CommandContext& context) {
  struct Options {
    std::filesystem::path system;
    LoadOptions load;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("SYSTEM", options->system, "System file (XML) or Hopsan model (.hmf)")->required();
  AddLoadOptions(command, options->load);
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code =
        context.LoadPlugins(options->system)
            ? RunCheck(options->system, context.registry, options->load, context.out, context.err)
            : kWrongInput;
  });
}

}  // namespace davit
