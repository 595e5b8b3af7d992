#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/sensitivity/sensitivity_table.h"
#include "analysis/study/case_runner.h"

namespace davit {

/// What differences of runs have come to.
struct RunDifferences {
  std::string fault;  ///< of a run that has failed, or of a measure that it does not have; else empty
  bool is_complete = false;
  SensitivityTable table;
};

/// Sensitivities from runs with other values: central differences of `share` and of half of it, extrapolated
/// to step 0 (L. F. Richardson); one-sided ones where the value is at an end of its range. Their difference
/// is the estimated error: truncation, the tolerance of the solver, and kinks all show in it. Four runs for
/// each item, and one of the system itself, `workers` at a time. The signals of the curves are the probes of
/// `setup`; curves are for the step points of the run itself.
///
/// `steps`: by item; `stop` leaves the table incomplete; `tell` hears how many runs have ended.
RunDifferences DifferRuns(const CaseSetup& setup, std::span<const SensitivityStep> steps, double share,
                          unsigned workers, const Registry& registry, const std::stop_token& stop,
                          const std::function<void(std::uint64_t)>& tell);

}  // namespace davit
