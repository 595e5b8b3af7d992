#pragma once

#include <memory>
#include <vector>

#include "framework/diagnostics.h"
#include "simulator/solvers/integrator.h"

namespace davit {

struct ContextMember;
class Island;
class System;

/// How islands are solved that no `<Integration>` of a member speaks of.
struct IntegrationDefaults {
  IntegratorOptions ode;
  IntegratorOptions dae{.method = "ida"};
};

/// Whether SUNDIALS IDA solves an island: a member is Algebraic.
bool IsDae(const std::vector<ContextMember>& members);

/// How an island is solved: as the `<Integration>` inside a member says, or by the defaults. Contradictory
/// elements, and events that the method cannot locate, go to `diagnostics`. `time_step` is that of the
/// manager [s].
IntegratorOptions ChooseIntegration(const std::vector<ContextMember>& members,
                                    const IntegrationDefaults& defaults, double time_step,
                                    Diagnostics& diagnostics);

/// Warns of each `<Integration>` that no island with states listens to, such as one for DAE where no
/// component is algebraic. A system without states gives no warning.
void WarnOfUnusedIntegrations(const System& system, const std::vector<std::unique_ptr<Island>>& islands,
                              Diagnostics& diagnostics);

}  // namespace davit
