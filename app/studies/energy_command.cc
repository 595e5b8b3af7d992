#include "app/studies/energy_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <ostream>
#include <vector>

#include "analysis/energy/energy_picture.h"
#include "app/check_command.h"
#include "app/energy_report.h"
#include "app/exit_code.h"
#include "app/studies/analysis_input.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "results/save_file.h"
#include "session/output_paths.h"
#include "session/simulation.h"
#include "simulator/energy/energy_balance.h"

namespace davit {

int RunEnergy(const EnergyOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  AnalysisInput faults;
  const std::optional<double> until = faults.ReadOptional("--until", options.until, "s");
  if (!options.plot.empty() && options.plot.extension() != ".svg")
    faults.Fail("--plot", Quoted(options.plot.string()) + " is not a picture of this command; name it .svg");
  if (!options.summary.empty() && options.summary.extension() != ".json")
    faults.Fail("--summary", Quoted(options.summary.string()) + " is not a summary; name it .json");
  SimulationOptions how{.load = options.load};
  how.log = [&err](RunLog::Severity, std::string_view line) { err << line << '\n'; };
  const std::unique_ptr<Simulation> simulation = LoadSimulation(options.system, registry, how, err);
  faults.CheckFiles({{"--plot", options.plot}, {"--summary", options.summary}},
                    simulation == nullptr ? std::vector{options.system} : InputsOf(simulation->system()));
  if (simulation != nullptr && until &&
      !(*until > simulation->start_time() && *until <= simulation->stop_time())) {
    faults.Fail("--until", fmt::format("{} s is not within the run, {} s to {} s", *until,
                                       simulation->start_time(), simulation->stop_time()));
  }
  if (!faults.IsGood(err) || simulation == nullptr) return kWrongInput;
  try {
    simulation->AccountEnergy();
    simulation->Initialize();
    simulation->RunUntil(until.value_or(simulation->stop_time()));
    const EnergyBalance balance = simulation->energy()->Balance();
    PrintBalance(balance, out);
    if (!options.summary.empty()) SaveFile(options.summary, ToJson(balance).dump(2) + '\n');
    if (!options.plot.empty()) SaveFile(options.plot, DrawEnergy(balance, options.system.stem().string()));
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  return kDone;
}

void AddEnergyCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<EnergyOptions>();
  command.add_option("SYSTEM", options->system, "System file (XML) or Hopsan model (.hmf)")->required();
  AddLoadOptions(command, options->load);
  command.add_option("--until", options->until, "Ends the run at this time")->type_name("T");
  command.add_option("--plot", options->plot, "Draws where the energy went (.svg, a Sankey diagram)")
      ->type_name("FILE");
  command.add_option("--summary", options->summary, "Writes the balance in J as JSON")->type_name("FILE");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code = context.LoadPlugins(options->system)
                            ? RunEnergy(*options, context.registry, context.out, context.err)
                            : kWrongInput;
  });
}

}  // namespace davit
