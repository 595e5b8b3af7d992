#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/system.h"
#include "simulator/network/island.h"
#include "simulator/network/rate.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// A system made ready to run: what is solved together, and what advances by whole steps.
struct Network {
  std::vector<std::unique_ptr<Island>> islands;
  std::uint64_t ticks = 1;                   ///< in one TimeStep of the manager
  std::vector<std::unique_ptr<Rate>> rates;  ///< that of the manager first
  /// Copies of sources that several islands read, so that each evaluates its own; with what they are copies
  /// of.
  std::vector<std::pair<Component*, Component*>> shadows;  ///< copy, original
  /// Where components that take whole steps offer waves.
  struct WaveEnd {
    std::string name;  ///< of the wave: `line.a.c`
    const Component* owner = nullptr;
    Domain domain = Domain::kHydraulic;
    double* c = nullptr;
  };
  std::vector<WaveEnd> wave_ends;

  /// Makes outputs, flows and derivatives everywhere those of the present states and waves, and exchanges
  /// held signals once.
  void EvaluateAt(double t);
  void InitializeWaves();
  bool has_whole_steps() const;
};

/// How islands are solved that no `<Integration>` of a member speaks of.
struct IntegrationDefaults {
  IntegratorOptions ode;
  IntegratorOptions dae{.method = "ida"};
};

/// Cuts a system into islands, sorts the evaluations of each, assigns places to the states and binds the
/// routes.
///
/// Power connections join components to one island, except where a delay or a constant source stands between:
/// at the C ports of TlmComponents and at C components that evaluate nothing. A component whose neighbours
/// are all of that kind advances by whole steps if it has its own SimulateOneTimestep or no states; any other
/// is differential. Signal components (without ports) join the one island they have routes with; where they
/// touch several, they are an island of their own and the routes between are sampled at step points; where
/// they touch only components that advance by whole steps, so do they, unless they form a loop. Sources and
/// what is computed from sources alone are evaluated in every island that reads them, each in a copy of its
/// own. Components of different TimeSteps meet at lines only, and read each other's signals as held values.
/// An island with an algebraic member is solved whole by SUNDIALS IDA; outputs and flows of an algebraic
/// member without equations of its own become unknowns, which breaks loops. Loops and contradictory
/// `<Integration>` elements go to `diagnostics`; the network is then not fit for a run.
std::unique_ptr<Network> BuildNetwork(System& system, const IntegrationDefaults& defaults, double time_step,
                                      Diagnostics& diagnostics);

}  // namespace davit
