#pragma once

#include <memory>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/system.h"
#include "simulator/integrator.h"
#include "simulator/island.h"

namespace davit {

/// Cuts a system into islands, sorts the evaluations of each, assigns offsets to the states and binds the routes.
///
/// Power connections join components to one island. Signal components (without ports) join the one island they have
/// routes with; where they touch several, they are an island of their own and the routes between are sampled at
/// step points. Sources and what is computed from sources alone belong to every island that reads them. Loops and
/// contradictory `<Integration>` elements go to `diagnostics`; the islands are then not fit for a run.
std::vector<std::unique_ptr<Island>> BuildIslands(System& system, const IntegratorOptions& defaults, double time_step,
                                                  Diagnostics& diagnostics);

}  // namespace davit
