#pragma once

#include <fmt/format.h>

#include "simulator/simulation_failure.h"

namespace davit {

/// A TimeStep that was given up because somebody asked for it: some islands have advanced, others have not,
/// so the run cannot continue.
class StepInterrupted : public SimulationFailure {
 public:
  /// `begin` is that of the TimeStep, `reached` where a solver was in it [s].
  StepInterrupted(double begin, double reached)
      : SimulationFailure(
            fmt::format("the run was interrupted inside the TimeStep from {:.9g} s on, at t = {:.9g} s",
                        begin, reached),
            begin),
        reached_(reached) {}
  double reached() const { return reached_; }

 private:
  double reached_;
};

}  // namespace davit
