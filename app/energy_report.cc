#include "app/energy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "session/describe_energy.h"

namespace davit {
namespace {

constexpr std::size_t kRowsOfTable = 12;  // of a table

std::string Percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:6.2f} %", 100 * part / whole) : std::string("     -");
}

/// 0 where it is no more than the error of a balance: energy that only swings has no shares.
double Supplied(const EnergyBalance& balance) {
  return balance.supplied() > EnergyBalance::kClosed * balance.turnover ? balance.supplied() : 0;
}

void PrintTable(std::string_view title, std::vector<EnergyOf> rows, const EnergyBalance& balance,
                std::ostream& out) {
  std::erase_if(rows, [&](const EnergyOf& one) { return IsTrifle(one, balance); });
  if (rows.empty()) return;
  out << '\n' << title << '\n';
  const double whole = Supplied(balance);
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

}  // namespace

void PrintBalance(const EnergyBalance& balance, std::ostream& out) {
  out << fmt::format("energy from {:.6g} s to {:.6g} s\n", balance.begin, balance.end);
  const double whole = Supplied(balance);
  const auto line = [&](std::string_view name, double energy) {
    out << fmt::format("{:<14} {:>14.6g} J  {}\n", name, energy, Percent(energy, whole));
  };
  line("in", balance.in);
  line("out", balance.out);
  line("stored", balance.stored);
  line("lost", balance.lost);
  if (balance.unaccounted != 0 || !balance.strangers.empty()) line("unaccounted", balance.unaccounted);
  out << fmt::format("{:<14} {:>14.6g} J, {:.2g} of the largest energy: the balance {} (limit {:g})\n",
                     "error", balance.error, balance.balance_error(),
                     balance.closes() ? "closes" : "does not close", EnergyBalance::kClosed);
  if (whole > 0 && std::isfinite(balance.efficiency()))
    out << fmt::format("{:<14} {:>14.4g} %\n", "efficiency", 100 * balance.efficiency());
  for (const EnergyTable& table : EnergyTables()) PrintTable(table.title, table.rows(balance), balance, out);
}

nlohmann::ordered_json ToJson(const EnergyBalance& balance) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : Describe<EnergyBalance>(EnergyFields(), balance).fields) {
    if (const double* number = std::get_if<double>(&value)) {
      json[name] = *number;
    } else {
      json[name] = std::get<bool>(value);
    }
  }
  for (const EnergyTable& table : EnergyTables()) {
    nlohmann::ordered_json& rows = json[table.name] = nlohmann::ordered_json::object();
    for (const EnergyOf& one : table.rows(balance)) rows[EnergyLabel(one)] = one.energy;
  }
  return json;
}

}  // namespace davit
