#pragma once

#include <vector>

#include "fmi/fmu_variable.h"
#include "session/simulation.h"

namespace davit {

/// The continuous states, derivatives and event indicators of a system for model exchange, and what depends
/// on what. States, derivatives and (if `has_indicator_variables`, for FMI 3.0) event indicators that
/// `variables` lacks are added to it. Pre: `simulation` is initialised, OutsideSolver::TakeOver was
/// called before.
FmuStructure ListFmuStructure(Simulation& simulation, std::vector<FmuVariable>& variables,
                              bool has_indicator_variables);

/// The same for co-simulation alone: no states, and which inputs each output depends on at a communication
/// point. Pre: `simulation` is initialised.
FmuStructure ListFmuDependencies(Simulation& simulation, const std::vector<FmuVariable>& variables);

}  // namespace davit
