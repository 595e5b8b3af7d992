#include "simulator/failure_text.h"

#include <fmt/format.h>

#include <cmath>

#include "framework/component.h"
#include "framework/symptom.h"
#include "simulator/islands/island.h"

namespace davit {

SimulationFailure ToFailure(const IntegrationError& error) {
  const StateVectors& states = error.island().states();
  const std::string advice =
      !error.advice().empty() ? error.advice()
      : !std::isfinite(states.ddt[error.state()])
          ? "look for a division by zero, the root of a negative number or an overflow in its derivative"
          : "try a smaller tolerance or step, or look for a parameter that makes it stiff";
  return {fmt::format("{}: the run {} at t = {:.9g} s: {} ({}, last value {:.9g}); {}{}",
                      states.Owner(error.state()).DisplayPath(),
                      error.symptom() == Symptom::kNoProgress ? "makes no progress" : "diverged",
                      error.time(), error.what(), states.Name(error.state()), states.y[error.state()], advice,
                      SeeSection(error.symptom())),
          error.time()};
}

SimulationFailure ToFailure(const EvaluationFailure& failure) {
  return {fmt::format("{}: the run failed at t = {:.9g} s: {}", failure.owner().DisplayPath(), failure.time(),
                      failure.what()),
          failure.time()};
}

}  // namespace davit
