#include "app/energy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace davit {
namespace {

constexpr double kTrifle = 1e-9;          // of the turnover: rows that are left out of tables
constexpr std::size_t kRowsOfTable = 12;  // of a table

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
                [&](const EnergyOf& one) { return std::abs(one.energy) <= kTrifle * balance.turnover; });
  if (rows.empty()) return;
  out << '\n' << title << '\n';
  const double whole = balance.supplied();
  double rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= kRowsOfTable) {
      rest += rows[i].energy;
    } else {
      out << fmt::format("  {:<40} {:>14.6g} J  {}\n", EnergyLabel(rows[i]), rows[i].energy,
                         Percent(rows[i].energy, whole));
    }
  }
  if (rows.size() > kRowsOfTable) {
    out << fmt::format("  {:<40} {:>14.6g} J  {}\n", fmt::format("{} more", rows.size() - kRowsOfTable), rest,
                       Percent(rest, whole));
  }
}

nlohmann::ordered_json ByName(const std::vector<EnergyOf>& list) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const EnergyOf& one : list) json[EnergyLabel(one)] = one.energy;
  return json;
}

}  // namespace

void PrintBalance(const EnergyBalance& balance, std::ostream& out) {
  out << fmt::format("energy from {:.6g} s to {:.6g} s\n", balance.begin, balance.end);
  const double whole = balance.supplied();
  const auto line = [&](std::string_view name, double energy) {
    out << fmt::format("{:<14} {:>14.6g} J  {}\n", name, energy, Percent(energy, whole));
  };
  line("in", balance.in);
  line("out", balance.out);
  line("stored", balance.stored);
  line("lost", balance.lost);
  if (balance.unaccounted != 0 || !balance.strangers.empty()) line("unaccounted", balance.unaccounted);
  out << fmt::format("{:<14} {:>14.6g} J, {:.2g} of the largest energy\n", "error", balance.error,
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

nlohmann::ordered_json ToJson(const EnergyBalance& balance) {
  nlohmann::ordered_json json = {
      {"begin_s", balance.begin},
      {"end_s", balance.end},
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
  return json;
}

}  // namespace davit
