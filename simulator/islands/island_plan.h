#pragma once

#include <vector>

#include "framework/component.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/passes/couplings.h"
#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/signal_binding.h"
#include "simulator/passes/state_layout.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// What the passes of BuildNetwork have found out about an island. Lists "by batch" are as long as
/// `batches`.
struct IslandPlan {
  std::vector<DynamicSimComponent*> members;
  std::vector<Component*> evaluated;  ///< in the order of evaluation
  std::vector<EvaluationBatch> batches;
  StateLayout layout;
  IntegratorOptions options;
  bool is_implicit = false;  ///< 0 = F(t, y, y'): a member is algebraic
  Couplings couplings;
  SignalBinding signals;
  DerivativeOrder derivatives;  ///< of `signals`
  std::vector<double*> waves;   ///< at the boundary
};

}  // namespace davit
