#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/registry.h"
#include "framework/system.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/partition.h"
#include "simulator/passes/solver_choice.h"
#include "simulator/passes/system_index.h"
#include "simulator/passes/time_step_plan.h"

namespace davit {

/// A system as it is after reading, before BuildNetwork: what the passes of the network work on. It has
/// davit's models and those of the tests.
class LoadedSystem {
 public:
  /// The TimeStep of the manager [s].
  static constexpr double kTimeStep = 1e-3;

  /// `content` goes inside `<System>`, after its `<SimulatorManager>`. Throws std::invalid_argument with
  /// all diagnostics when something is wrong with it.
  explicit LoadedSystem(std::string_view content);

  System& system() { return *system_; }
  const SystemIndex& index() const { return *index_; }
  /// The number of the component at a path; throws std::out_of_range when there is none.
  std::uint32_t operator[](std::string_view path) const;

 private:
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<System> system_;
  std::unique_ptr<SystemIndex> index_;
};

/// The results of the passes over the whole system, for tests of the passes over one context.
struct SystemPasses {
  explicit SystemPasses(const SystemIndex& index);

  Diagnostics diagnostics;
  SolverTypes solvers;
  TimeStepPlan steps;
  std::vector<bool> is_pure;
  Partition partition;
  EvaluationContexts contexts;  ///< copies are not made

  /// The context in which a component, not its copies, is evaluated.
  std::uint32_t ContextOf(std::uint32_t i) const { return contexts.instances.at(i).at(0).context; }
  std::uint32_t MemberOf(std::uint32_t i) const { return contexts.instances.at(i).at(0).member; }
  const std::vector<ContextMember>& MembersWith(std::uint32_t i) const {
    return contexts.members[ContextOf(i)];
  }
};

/// Writes the file of a sub-system with this content, for a test of this name, and returns its path.
std::string WriteSubsystem(const std::string& name, std::string_view content);

/// The texts of all diagnostics, one a line.
std::string TextOf(const Diagnostics& diagnostics);

}  // namespace davit
