#pragma once

#include "simulator/evaluation_failure.h"
#include "simulator/simulation_failure.h"
#include "simulator/solvers/integration_error.h"

namespace davit {

// What a user reads when a run cannot continue: component, variable, time, last value, and what to look for.

SimulationFailure ToFailure(const IntegrationError& error);
SimulationFailure ToFailure(const EvaluationFailure& failure);

/// Calls something that may fail in a solver or a model, and throws SimulationFailure where it does.
template <class Call>
decltype(auto) Checked(Call call) {
  try {
    return call();
  } catch (const IntegrationError& error) {
    throw ToFailure(error);
  } catch (const EvaluationFailure& failure) {
    throw ToFailure(failure);
  }
}

}  // namespace davit
