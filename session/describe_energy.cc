#include "session/describe_energy.h"

#include <cmath>

namespace davit {
namespace {

constexpr double kLeastShare = 0.005;  // of the turnover: smaller bands of a kind become one

constexpr double kTrifle = 1e-9;  // of the turnover

/// Of one sign.
void AddBands(const std::vector<EnergyOf>& list, double sign, std::string_view kind, double least,
              std::string_view of_rest, std::vector<EnergyBand>& bands) {
  EnergyBand rest{kind, {.component = {}, .name = std::string(of_rest)}};
  for (const EnergyOf& one : list) {
    const double energy = sign * one.energy;
    if (!(energy > 0)) continue;
    if (energy < least) {
      rest.of.energy += energy;
    } else {
      bands.push_back({kind, {one.component, one.name, energy}});
    }
  }
  if (rest.of.energy > least * (kTrifle / kLeastShare)) bands.push_back(std::move(rest));
}

}  // namespace

DescribedFields<EnergyBalance> EnergyFields() {
  using E = const EnergyBalance&;
  static constexpr DescribedField<EnergyBalance> kFields[] = {
      {"begin_s", "number", [](E e) { return Described(e.begin); }, "Where the balance begins [s]"},
      {"end_s", "number", [](E e) { return Described(e.end); }, "Where it ends [s]"},
      {"in", "number", [](E e) { return Described(e.in); },
       "Energy that crossed the boundary of the system inwards [J]"},
      {"out", "number", [](E e) { return Described(e.out); }, "The same outwards [J]"},
      {"stored", "number", [](E e) { return Described(e.stored); }, "Rise of the stored energy [J]"},
      {"lost", "number", [](E e) { return Described(e.lost); },
       "Energy that became heat or left with lost oil [J]"},
      {"unaccounted", "number", [](E e) { return Described(e.unaccounted); },
       "Energy that went into models without an account [J]"},
      {"power_in", "number", [](E e) { return Described(e.power_in); }, "The same at end_s [W]"},
      {"power_out", "number", [](E e) { return Described(e.power_out); }},
      {"power_stored", "number", [](E e) { return Described(e.power_stored); }},
      {"power_lost", "number", [](E e) { return Described(e.power_lost); }},
      {"power_unaccounted", "number", [](E e) { return Described(e.power_unaccounted); }},
      {"supplied", "number", [](E e) { return Described(e.supplied()); },
       "What came in or was taken from stores [J]"},
      {"error", "number", [](E e) { return Described(e.error); },
       "Sum of the magnitudes of all differences [J]"},
      {"balance_error", "number", [](E e) { return Described(e.balance_error()); },
       "The same relative to the largest energy"},
      {"closes", "boolean", [](E e) { return Described(e.closes()); },
       "Whether balance_error is small enough"},
      {"efficiency", "number",
       [](E e) { return std::isfinite(e.efficiency()) ? Described(e.efficiency()) : Described(); },
       "Share of the supplied energy that went out or into stores", true},
  };
  return kFields;
}

DescribedFields<EnergyOf> EnergyRowFields() {
  using E = const EnergyOf&;
  static constexpr DescribedField<EnergyOf> kFields[] = {
      {"component", "string", [](E e) { return AsText(e.component); }, "Path; may be empty"},
      {"name", "string", [](E e) { return AsText(e.name); },
       "The store, the cause of a loss or the source; may be empty"},
      {"energy", "number", [](E e) { return Described(e.energy); }, "[J]"},
      {"power", "number", [](E e) { return Described(e.power); }, "At the end [W]; 0 for stores"},
  };
  return kFields;
}

std::span<const EnergyTable> EnergyTables() {
  using E = const EnergyBalance&;
  static constexpr EnergyTable kTables[] = {
      {"sources", "sources", [](E e) { return e.ins; }},
      {"work", "work done outside", [](E e) { return e.outs; }},
      {"stores", "stored", [](E e) { return e.stores; }},
      {"losses", "losses by component", [](E e) { return e.LossesBy(true); }},
      {"causes", "losses by cause", [](E e) { return e.LossesBy(false); }},
      {"not_accounting", "went into models that do not account for their energy",
       [](E e) { return e.strangers; }},
      {"errors", "largest differences: accounts of models, and errors of the run",
       [](E e) { return e.errors; }},
  };
  return kTables;
}

bool IsTrifle(const EnergyOf& row, const EnergyBalance& balance) {
  return std::abs(row.energy) <= kTrifle * balance.turnover;
}

std::string EnergyLabel(const EnergyOf& one) {
  if (one.name.empty()) return one.component;
  return one.component.empty() ? one.name : one.component + ": " + one.name;
}

DescribedFields<EnergyBand> EnergyBandFields() {
  using B = const EnergyBand&;
  static constexpr DescribedField<EnergyBand> kFields[] = {
      {"kind", "'source' | 'store' | 'loss' | 'work' | 'unaccounted'", [](B b) { return AsText(b.kind); }},
      {"component", "string", [](B b) { return AsText(b.of.component); }, "Path; may be empty"},
      {"label", "string", [](B b) { return AsText(EnergyLabel(b.of)); }},
      {"energy", "number", [](B b) { return Described(b.of.energy); }, "[J], positive"},
  };
  return kFields;
}

EnergyFlow FlowOf(const EnergyBalance& balance) {
  const double least = kLeastShare * balance.turnover;
  EnergyFlow flow;
  AddBands(balance.ins, 1, "source", least, "other sources", flow.from);
  AddBands(balance.stores, -1, "store", least, "other stores", flow.from);
  AddBands(balance.losses, -1, "loss", least, "other gains", flow.from);
  AddBands(balance.strangers, -1, "unaccounted", least, "other unaccounted", flow.from);
  AddBands(balance.outs, 1, "work", least, "other work", flow.to);
  AddBands(balance.stores, 1, "store", least, "other stores", flow.to);
  AddBands(balance.LossesBy(true), 1, "loss", least, "other losses", flow.to);
  AddBands(balance.strangers, 1, "unaccounted", least, "other unaccounted", flow.to);
  return flow;
}

}  // namespace davit
