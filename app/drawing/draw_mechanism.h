#pragma once

#include <string>

#include "framework/diagnostics.h"
#include "session/simulation.h"

namespace davit {

/// The mechanism of a simulation as SVG: what components that match the glob `components` show, seen from
/// `view`, one of SceneViews. If `runs`, the simulation runs to its end before, and the paths of frames are
/// shown; otherwise the start is. Empty after an error. Throws SimulationFailure.
std::string DrawMechanism(Simulation& simulation, const std::string& components, const std::string& view,
                          bool runs, Diagnostics& diagnostics);

}  // namespace davit
