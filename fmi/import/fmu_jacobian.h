#pragma once

#include <cstdint>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_items.h"
#include "fmi/import/foreign_fmu.h"
#include "framework/declaration.h"
#include "simulator/partial_derivatives.h"

namespace davit {

class Component;

/// The partial derivatives of an FMU for model exchange, from its own directional derivatives: of the
/// derivatives of its states and of routed outputs, over its states and routed inputs. Knowns that no unknown
/// reads together share one call (JacobianPattern), as the dependencies of the description have it.
class FmuJacobian {
 public:
  /// Knows nothing.
  FmuJacobian() = default;
  /// For the states that are in use now. Pre: `component` is configured and has declared `items`; its routed
  /// outputs are known.
  FmuJacobian(const Component& component, const FmuDescription& description, const FmuItems& items);

  /// At the point that the FMU has got last. False where it does not say; where its function fails it is not
  /// asked again.
  bool Write(ForeignFmu& fmu, PartialDerivatives& partials);

 private:
  /// A number of the component that the FMU has.
  struct Place {
    std::uint32_t reference = 0;
    double factor = 1;  ///< SI = factor * value
    const StateVariable* state = nullptr;
    std::uint32_t number = 0;        ///< of the state, among all
    const Input* input = nullptr;    ///< where there is no state
    const double* output = nullptr;  ///< where there is neither

    PartialDerivatives::Variable variable() const;
  };
  /// The unknowns that read `knowns`, with the one that each reads.
  struct Call {
    std::vector<std::uint32_t> knowns, unknowns;  ///< references
    struct Entry {
      std::uint32_t unknown, known;  ///< of the places
    };
    std::vector<Entry> entries;  ///< by unknown
  };

  bool ListStates(const Component& component, const FmuDescription& description, const FmuItems& items);
  bool ListInputs(const Component& component, const FmuItems& items);
  bool ListOutputs(const FmuValues& values, const std::vector<FmuItems::OutputLink>& links);
  void ListCalls(const Component& component);

  std::vector<Place> knowns_, unknowns_;
  std::vector<Call> calls_;
  std::vector<double> seed_, changes_;  ///< work space
  bool is_known_ = false;
};

}  // namespace davit
