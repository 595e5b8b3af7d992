#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fmi/manifest/fmu_manifest.h"
#include "framework/diagnostics.h"
#include "framework/item.h"
#include "session/simulation.h"

namespace davit {

enum class FmuCausality : std::uint8_t { kParameter, kInput, kOutput, kLocal };
enum class FmuVariability : std::uint8_t { kFixed, kTunable, kDiscrete, kContinuous };
/// How its value is known when the run begins; kNone: of an input.
enum class FmuInitial : std::uint8_t { kNone, kExact, kApprox, kCalculated };

/// A variable of an FMU: an Item of the system in the words of FMI, an event of charts, an event indicator,
/// or whether states are in use.
struct FmuVariable {
  std::string name;          ///< the path of the item; of a derivative `der(load.x)`
  std::optional<Item> item;  ///< nothing of what is no item
  FmuEntry entry;
  FmuCausality causality = FmuCausality::kLocal;
  FmuVariability variability = FmuVariability::kContinuous;
  FmuInitial initial = FmuInitial::kCalculated;
  std::optional<double> start = {};  ///< where there is a start value that is a number
  std::string start_text = {};       ///< of a String
  double nominal = 1;
  std::string text = {};  ///< description
  /// Of the derivative of a continuous state of model exchange: the position of the state in the list.
  std::optional<std::size_t> derivative_of = {};
  bool is_continuous_state = false;  ///< of model exchange

  std::string unit() const { return item ? item->unit() : std::string(); }
  /// Whether ModelStructure lists it among the InitialUnknowns.
  bool is_initial_unknown() const {
    const bool is_listed = causality == FmuCausality::kOutput || is_continuous_state || derivative_of;
    return is_listed && (initial == FmuInitial::kApprox || initial == FmuInitial::kCalculated);
  }
};

/// What an FMU for model exchange has besides its variables, and which numbers depend on which. Numbers are
/// positions in the list of variables.
struct FmuStructure {
  std::vector<std::size_t> states, derivatives;  ///< in the order of the vectors of the master
  std::vector<std::size_t> indicators;           ///< FMI 3.0 has variables for them
  std::vector<std::string> guards;               ///< their names
  /// States that take part under the same condition: positions in `states`.
  struct Use {
    std::size_t variable = 0;  ///< whether they do
    std::vector<std::size_t> states;
  };
  std::vector<Use> uses;
  /// What an output or derivative depends on, ascending; those that are not here may depend on all.
  std::map<std::size_t, std::vector<std::size_t>> dependencies;
};

/// What becomes a variable, and as what. Texts are globs of paths, separated by spaces.
struct FmuSelection {
  std::vector<std::string> inputs = {};      ///< empty: the inputs that the system does not write
  std::vector<std::string> outputs = {};     ///< empty: what the system records
  std::vector<std::string> parameters = {};  ///< empty: all
};

/// The variables of a system in the order of its components. Globs that match nothing, or only what cannot be
/// used so, are errors. Pre: `simulation` is loaded and not initialised; it is initialised here, to see which
/// start values the run keeps. Throws SimulationFailure where it cannot be.
std::vector<FmuVariable> ListFmuVariables(Simulation& simulation, const FmuSelection& selection,
                                          Diagnostics& diagnostics);

}  // namespace davit
