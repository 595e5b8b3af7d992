#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>

#include "simulator/energy/energy_balance.h"

namespace davit {

/// Its sums, and tables of sources, stores and losses; energies in J and as shares of what was supplied.
void PrintBalance(const EnergyBalance& balance, std::ostream& out);

/// As JSON [J].
nlohmann::ordered_json ToJson(const EnergyBalance& balance);

}  // namespace davit
