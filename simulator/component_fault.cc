#include "simulator/component_fault.h"

#include <fmt/format.h>

#include <exception>
#include <string>

#include "simulator/evaluation_failure.h"
#include "simulator/simulation_failure.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/state_failure.h"

namespace davit {
namespace {

/// What the exception that is being handled says. Failures that name their place already are passed on.
std::string TextOfForeignException() {
  try {
    throw;
  } catch (const EvaluationFailure&) {
    throw;
  } catch (const IntegrationError&) {
    throw;
  } catch (const SimulationFailure&) {
    throw;
  } catch (const std::exception& fault) {
    return fault.what();
  } catch (...) {
    return "something other than a std::exception";
  }
}

[[noreturn]] void Blame(const Component& owner, double t, const std::string& text) {
  throw EvaluationFailure(owner, t,
                          fmt::format("the code of {} threw an exception: {}; a step must not throw, correct "
                                      "the model",
                                      owner.model().name, text));
}

}  // namespace

void BlameComponent(const Component& owner, double t) {
  try {
    throw;
  } catch (const StateFailure& failure) {
    throw EvaluationFailure(owner, t, failure.what());
  } catch (...) {
    Blame(owner, t, TextOfForeignException());
  }
}

void BlameOneOf(BatchEvaluation run, Component* const* components, std::size_t count, double t) {
  const std::string text = TextOfForeignException();
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    try {
      run(&components[i], 1, t);
    } catch (...) {
      BlameComponent(*components[i], t);
    }
  }
  Blame(*components[0], t, count == 1 ? text : fmt::format("{} (one of {} components alike)", text, count));
}

}  // namespace davit
