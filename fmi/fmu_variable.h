#pragma once

#include <cstdint>
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

/// A variable of an FMU: an Item of the system in the words of FMI.
struct FmuVariable {
  std::string name;  ///< the path of the item; of a derivative `der(load.x)`
  Item item;
  FmuEntry entry;
  FmuCausality causality = FmuCausality::kLocal;
  FmuVariability variability = FmuVariability::kContinuous;
  FmuInitial initial = FmuInitial::kCalculated;
  std::optional<double> start = {};  ///< where there is a start value that is a number
  std::string start_text = {};       ///< of a String
  double nominal = 1;

  /// Whether ModelStructure lists it among the InitialUnknowns.
  bool is_initial_unknown() const {
    return causality == FmuCausality::kOutput &&
           (initial == FmuInitial::kApprox || initial == FmuInitial::kCalculated);
  }
};

/// What becomes a variable, and as what. Texts are globs of paths, separated by spaces.
struct FmuSelection {
  std::vector<std::string> inputs = {};      ///< empty: the inputs that nothing is routed to
  std::vector<std::string> outputs = {};     ///< empty: what the system records
  std::vector<std::string> parameters = {};  ///< empty: all
};

/// The variables of a system in the order of its components. Globs that match nothing, or only what cannot be
/// used so, are errors. Pre: `simulation` is loaded and not initialised; it is initialised here, to see which
/// start values the run keeps. Throws SimulationFailure where it cannot be.
std::vector<FmuVariable> ListFmuVariables(Simulation& simulation, const FmuSelection& selection,
                                          Diagnostics& diagnostics);

}  // namespace davit
