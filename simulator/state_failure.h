#pragma once

#include <stdexcept>

namespace davit {

/// The equations of a component do not hold for its present state. PreIntegrate and PostIntegrate may throw
/// it: the run ends with an EvaluationFailure that names the component and the time. Its text says what is
/// wrong and what would be right. Where a solver cannot continue inside of a step, PreIntegrate is called
/// once more, after an evaluation where the solver is: what it throws then is the reason.
class StateFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace davit
