#pragma once

#include <vector>

#include "simulator/passes/solver_choice.h"
#include "simulator/passes/system_index.h"

namespace davit {

/// By component: whether it is a function of time and parameters only. Such a component has no states, ports
/// or events, is neither a TlmComponent nor Algebraic, and reads pure components and parameters only: a
/// source of signals, or what is computed from sources alone.
std::vector<bool> FindPureComponents(const SystemIndex& index, const SolverTypes& solvers);

}  // namespace davit
