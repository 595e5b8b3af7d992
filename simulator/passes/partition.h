#pragma once

#include <cstdint>
#include <vector>

#include "framework/diagnostics.h"
#include "simulator/passes/solver_choice.h"
#include "simulator/passes/system_index.h"
#include "simulator/passes/time_step_plan.h"

namespace davit {

/// Which components are solved together.
struct Partition {
  /// As chosen before, with the signal components that have become Tlm.
  SolverTypes solvers;
  /// By component: a number that all components solved together share, and no others do; the number of one
  /// of them. Without meaning for Tlm components.
  std::vector<std::uint32_t> set;

  bool IsTlm(std::uint32_t i) const { return solvers[i] == SolverType::kTlm; }
};

/// Partitions a system into sets of components that are solved together, whatever the order of its
/// connections and routes.
///
/// A connection joins its two components, unless one of them is Tlm or the efforts of the C side are
/// constant. A route with `hold="none"` joins two components that are not Tlm. Signal components (without
/// ports) of one TimeStep with routes between them make a group. A group that touches Tlm components, no
/// island and has no loop becomes Tlm, as does one whose members all ask for it; any other group is joined,
/// and with the island it has routes with if there is exactly one. Pure components join nothing.
///
/// To `diagnostics` go connections of a Tlm component to a C port without delay, and members of one set with
/// different TimeSteps.
Partition MakePartition(const SystemIndex& index, const SolverTypes& solvers,
                        const std::vector<bool>& is_pure, const TimeStepPlan& steps,
                        Diagnostics& diagnostics);

}  // namespace davit
