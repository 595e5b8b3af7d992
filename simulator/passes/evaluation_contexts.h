#pragma once

#include <cstdint>
#include <vector>

#include "simulator/passes/partition.h"
#include "simulator/passes/system_index.h"
#include "simulator/passes/time_step_plan.h"

namespace davit {

/// A component, or a copy of a pure one, that one evaluation context evaluates.
struct ContextMember {
  std::uint32_t number = 0;  ///< of the component
  bool is_copy = false;
  SolverType solver = SolverType::kDifferential;
  /// What is evaluated; null for a copy until BuildNetwork has made it.
  DynamicSimComponent* component = nullptr;
};

/// Where components are evaluated: a context is the fixed-step schedule of a rate (these come first, in the
/// order of the rates) or an island.
struct EvaluationContexts {
  /// A member of a context.
  struct Instance {
    std::uint32_t context = 0;
    std::uint32_t member = 0;  ///< position in the context
  };

  std::uint32_t schedule_count = 0;
  std::vector<std::uint32_t> rate;                      ///< by context: into TimeStepPlan::rates
  std::vector<std::vector<ContextMember>> members;      ///< by context
  std::vector<std::vector<Instance>> instances;         ///< by component; the first is itself, others copies
  std::vector<std::vector<std::uint32_t>> routes_into;  ///< by context, ascending: routes its members read

  std::uint32_t size() const { return static_cast<std::uint32_t>(members.size()); }
  bool IsSchedule(std::uint32_t context) const { return context < schedule_count; }
  /// The position of component `i` among the members of a context, or kNoNumber.
  std::uint32_t FindMember(std::uint32_t i, std::uint32_t context) const;
  /// The member of a context at which route `r` begins, if a reader there sees its value inside the step,
  /// continuously; otherwise kNoNumber.
  std::uint32_t FindContinuousWriter(const SystemIndex& index, std::uint32_t r, std::uint32_t context) const;
};

/// Makes the contexts: one schedule for each rate with its Tlm components, and one island for each set of
/// other components, in the order of their first components.
///
/// A pure component is a member of every context that reads it, directly or through other pure ones: of the
/// first as itself, of each further one as a copy (BuildNetwork makes them). Pure components that nobody
/// reads are islands of their own. A component with ports and constant efforts is a member of none.
EvaluationContexts MakeEvaluationContexts(const SystemIndex& index, const Partition& partition,
                                          const std::vector<bool>& is_pure, const TimeStepPlan& steps);

}  // namespace davit
