#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fmi/fmu_variable.h"
#include "framework/units/unit_system.h"

namespace davit {

enum class FmiVersion : std::uint8_t { k2, k3 };

/// An annotation of davit: `<StatesInUse><Use valueReference="7" states="1 2"/> ...</StatesInUse>` names
/// Boolean variables, here one that says whether the first and the second continuous state take part at the
/// moment. Else their derivatives are 0, and nothing reads them.
inline constexpr const char* kAnnotation2 = "davit";                    ///< the name of its Tool
inline constexpr const char* kAnnotation3 = "org.davit.states-in-use";  ///< the type of its Annotation
inline constexpr const char* kStatesInUse = "StatesInUse";
inline constexpr const char* kUse = "Use";

/// What `modelDescription.xml` says besides the variables.
struct FmuFacts {
  FmiVersion version = FmiVersion::k2;
  std::string name;              ///< modelName
  std::string model_identifier;  ///< of the library; a C identifier
  std::string token;             ///< guid or instantiationToken
  std::string description;
  double start = 0;  ///< DefaultExperiment [s]
  double stop = 0;
  double step = 0;
  double tolerance = 0;            ///< 0: none
  bool has_variable_steps = true;  ///< any communication step is possible
  bool has_co_simulation = true;
  bool has_model_exchange = false;
  bool has_state = true;                    ///< it can be saved and restored
  bool needs_completed_steps = true;        ///< model exchange
  bool has_derivatives = false;             ///< directional ones, of inputs and of outputs
  const FmuStructure* structure = nullptr;  ///< must outlive the call; null: none is known
};

/// The text of `modelDescription.xml`. The value reference of a variable is its position in the list; the
/// variable `time` of FMI 3.0 follows them.
std::string WriteModelDescription(const FmuFacts& facts, const std::vector<FmuVariable>& variables,
                                  const UnitSystem& units);

}  // namespace davit
