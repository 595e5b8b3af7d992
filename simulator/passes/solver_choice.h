#pragma once

#include <vector>

#include "framework/diagnostics.h"
#include "simulator/passes/system_index.h"
#include "simulator/solver_type.h"

namespace davit {

/// The solver of each component, by its number.
using SolverTypes = std::vector<SolverType>;

/// Chooses the solver of each component.
///
/// The attribute `solver` decides where it is given. Otherwise: a model with algebraic variables or with
/// algebraic equations only is Algebraic; a TlmComponent is Tlm; a Q component with a TlmComponent at one
/// port at least, and TlmComponents, constant efforts or sources at all of them, is Tlm if it has a step of
/// its own or no states; a source with Tlm neighbours only is Tlm; every other is Differential. Signal
/// components are Differential here; MakePartition gives those Tlm that signals join to Tlm components.
///
/// A solver that the model or its neighbours do not allow goes to `diagnostics`.
SolverTypes ChooseSolvers(const SystemIndex& index, Diagnostics& diagnostics);

/// The solver of a component for which the passes have chosen `chosen`: the attribute `solver` wins.
SolverType SolverInUse(const DynamicSimComponent& component, SolverType chosen);

}  // namespace davit
