#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "session/described_field.h"
#include "simulator/energy/energy_balance.h"

namespace davit {

/// The sums of a balance: energies in J, powers at its end in W.
DescribedFields<EnergyBalance> EnergyFields();
/// A row of a table.
DescribedFields<EnergyOf> EnergyRowFields();

/// A table of a balance.
struct EnergyTable {
  std::string_view name;                                        ///< a key of JSON
  std::string_view title;                                       ///< for people
  std::vector<EnergyOf> (*rows)(const EnergyBalance& balance);  ///< the largest first
};
std::span<const EnergyTable> EnergyTables();
/// Of a table for people, a row that is left out.
bool IsTrifle(const EnergyOf& row, const EnergyBalance& balance);

/// `component: name`, or the one that there is.
std::string EnergyLabel(const EnergyOf& one);

/// A band of a Sankey diagram.
struct EnergyBand {
  std::string_view kind;  ///< source, store, loss, work, unaccounted
  EnergyOf of;            ///< its energy is positive
};
DescribedFields<EnergyBand> EnergyBandFields();

/// What was supplied, and where it went: each thing once, small ones of a kind as one.
struct EnergyFlow {
  std::vector<EnergyBand> from, to;
};
EnergyFlow FlowOf(const EnergyBalance& balance);

}  // namespace davit
