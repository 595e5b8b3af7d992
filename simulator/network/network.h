#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/system.h"
#include "simulator/events/indicator_watch.h"
#include "simulator/islands/island.h"
#include "simulator/network/integration_choice.h"
#include "simulator/network/operator_schedule.h"
#include "simulator/network/rate.h"
#include "simulator/network/step_exchange.h"
#include "simulator/passes/wave_boundaries.h"

namespace davit {

/// A system made ready to run: islands, and fixed-step (TLM) components.
struct Network {
  std::vector<std::unique_ptr<Island>> islands;
  std::uint64_t ticks = 1;                   ///< in one TimeStep of the manager
  std::vector<std::unique_ptr<Rate>> rates;  ///< that of the manager first
  /// Copies of sources that several islands read, so that each evaluates its own; with what they are copies
  /// of.
  std::vector<std::pair<Component*, Component*>> shadows;  ///< copy, original
  std::vector<WaveBoundaries::WaveEnd> wave_ends;
  OperatorSchedule operators;
  IndicatorWatch indicators;
  StepExchange* exchange = nullptr;  ///< where other processes advance parts of it; null: none do

  /// Makes outputs, flows and derivatives everywhere those of the present states and waves, and exchanges
  /// held signals once; operators begin with the present values.
  void EvaluateAt(double t);
  void InitializeWaves();
  bool has_fixed_steps() const;
};

/// Makes a system ready to run, in passes. Each is a function in a file of its own that reads the system,
/// SystemIndex and the results of earlier passes and changes nothing; what is chosen takes effect here.
///
/// | pass | finds |
/// | --- | --- |
/// | ChooseSolvers | the solver of each component |
/// | PlanTimeSteps | the TimeStep of each component, in ticks; the rates |
/// | FindPureComponents | functions of time and parameters only |
/// | MakePartition | which components are solved together |
/// | MakeEvaluationContexts | the fixed-step schedules and islands with their members, in their order |
///
/// Now the components get their solvers, and the copies of pure ones are made. Then for each island:
///
/// | pass | finds |
/// | --- | --- |
/// | MakeEvaluationGraph | which evaluation needs what another one writes |
/// | SortEvaluations, ReportLoop | their order, or an algebraic loop |
/// | MakeBatches | which of them run as one batch |
/// | ChooseIntegration | the method and its tolerances |
/// | LayOutStates | the places of states and of outputs that are solved for |
/// | FindJacobianPattern | which unknowns each equation may read, for implicit methods |
/// | BindSignals, OrderDerivatives | from where routed inputs read |
/// | FindWaveBoundaries | waves at the boundary to fixed-step components |
///
/// and for each schedule PlanSchedule and BindSignals. From these plans schedules and islands are made.
///
/// Loops and contradictions go to `diagnostics`; the network is then not fit for a run. `time_step` is that
/// of the manager [s]. May be called again for the same system; the networks made before must not run any
/// more.
std::unique_ptr<Network> BuildNetwork(System& system, const IntegrationDefaults& defaults, double time_step,
                                      Diagnostics& diagnostics);

}  // namespace davit
