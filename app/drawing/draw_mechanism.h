#pragma once

#include <optional>
#include <string>

#include "framework/diagnostics.h"
#include "session/simulation.h"

namespace davit {

/// The mechanism of a simulation as SVG: what components that match the glob `components` show, seen from
/// `view`, one of SceneViews. With `time` [s], the simulation runs to the step point there before, and the
/// paths of frames are shown; otherwise the start is. Empty after an error. Throws SimulationFailure.
std::string DrawMechanism(Simulation& simulation, const std::string& components, const std::string& view,
                          std::optional<double> time, Diagnostics& diagnostics);

}  // namespace davit
