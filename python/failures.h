#pragma once

#include "framework/diagnostics.h"
#include "python/binding.h"
#include "session/simulation.h"

namespace davit {

// All of them need the interpreter's lock, and throw pybind11::error_already_set.

/// davit.InputError with all faults; nothing where there are only warnings.
void RaiseIfFaulty(const Diagnostics& diagnostics);
/// davit.InputError of one fault without a place in a file.
[[noreturn]] void RaiseInputError(const std::string& text);
/// davit.SimulationError: why the run of `simulation` has failed, at its time.
[[noreturn]] void RaiseSimulationError(const Simulation& simulation, const SimulationFailure& failure);

/// How often the process has come out of a fork, as a child.
unsigned ForkCount();
/// davit.ForkError for what was made before a fork.
[[noreturn]] void RaiseForkError();

}  // namespace davit
