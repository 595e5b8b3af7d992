#include "app/studies/energy_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>
#include <vector>

#include "analysis/energy/energy_balance.h"
#include "analysis/energy/energy_picture.h"
#include "app/check_command.h"
#include "app/exit_code.h"
#include "app/studies/analysis_input.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "results/save_file.h"
#include "session/output_paths.h"
#include "session/simulation.h"

namespace davit {
namespace {

constexpr double kRounding = 1e-9;     // of the turnover: rows that are left out of tables
constexpr std::size_t kMostRows = 12;  // of a table

std::string Percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:6.2f} %", 100 * part / whole) : std::string("     -");
}

std::string EnergyLabel(const EnergyOf& one) {
  if (one.name.empty()) return one.component;
  return one.component.empty() ? one.name : one.component + ": " + one.name;
}

void PrintTable(std::string_view title, std::vector<EnergyOf> rows, const EnergyBalance& balance,
                std::ostream& out) {
  std::erase_if(rows,
                [&](const EnergyOf& one) { return std::abs(one.energy) <= kRounding * balance.turnover; });
  if (rows.empty()) return;
  out << '\n' << title << '\n';
  const double whole = balance.supplied();
  double rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= kMostRows) {
      rest += rows[i].energy;
    } else {
      out << fmt::format("  {:<40} {:>14.6g} J  {}\n", EnergyLabel(rows[i]), rows[i].energy,
                         Percent(rows[i].energy, whole));
    }
  }
  if (rows.size() > kMostRows) {
    out << fmt::format("  {:<40} {:>14.6g} J  {}\n", fmt::format("{} more", rows.size() - kMostRows), rest,
                       Percent(rest, whole));
  }
}

void PrintBalance(const EnergyBalance& balance, std::ostream& out) {
  const double whole = balance.supplied();
  const auto line = [&](std::string_view name, double energy) {
    out << fmt::format("{:<14} {:>14.6g} J  {}\n", name, energy, Percent(energy, whole));
  };
  line("in", balance.in);
  line("out", balance.out);
  line("stored", balance.stored);
  line("lost", balance.lost);
  if (balance.unaccounted != 0 || !balance.strangers.empty()) line("unaccounted", balance.unaccounted);
  out << fmt::format("{:<14} {:>14.6g} J, {:.2g} of the largest of these\n", "error", balance.error,
                     balance.balance_error());
  if (std::isfinite(balance.efficiency()))
    out << fmt::format("{:<14} {:>14.4g} %\n", "efficiency", 100 * balance.efficiency());
  PrintTable("sources", balance.ins, balance, out);
  PrintTable("work done outside", balance.outs, balance, out);
  PrintTable("stored", balance.stores, balance, out);
  PrintTable("losses by component", balance.LossesBy(true), balance, out);
  PrintTable("losses by cause", balance.LossesBy(false), balance, out);
  PrintTable("went into models that do not account for their energy", balance.strangers, balance, out);
  PrintTable("does not close: accounts of models, and errors of the run", balance.errors, balance, out);
}

nlohmann::ordered_json ByName(const std::vector<EnergyOf>& list) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const EnergyOf& one : list) json[EnergyLabel(one)] = one.energy;
  return json;
}

std::string SummaryOf(const EnergyBalance& balance) {
  nlohmann::ordered_json json = {
      {"in", balance.in},
      {"out", balance.out},
      {"stored", balance.stored},
      {"lost", balance.lost},
      {"unaccounted", balance.unaccounted},
      {"error", balance.error},
      {"balance_error", balance.balance_error()},
  };
  if (std::isfinite(balance.efficiency())) json["efficiency"] = balance.efficiency();
  json["losses"] = ByName(balance.LossesBy(true));
  json["causes"] = ByName(balance.LossesBy(false));
  json["sources"] = ByName(balance.ins);
  json["work"] = ByName(balance.outs);
  json["stores"] = ByName(balance.stores);
  json["not_accounting"] = ByName(balance.strangers);
  json["errors"] = ByName(balance.errors);
  return json.dump(2) + '\n';
}

}  // namespace

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
    EnergyAccounting accounting(simulation->system(), simulation->manager());
    simulation->Initialize();
    simulation->RunUntil(until.value_or(simulation->stop_time()));
    const EnergyBalance balance = accounting.Finish();
    out << fmt::format("energy of {} from {:.6g} s to {:.6g} s\n", options.system.filename().string(),
                       simulation->begin_time(), simulation->time());
    PrintBalance(balance, out);
    if (!options.summary.empty()) SaveFile(options.summary, SummaryOf(balance));
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
