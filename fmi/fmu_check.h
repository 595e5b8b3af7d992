#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/foreign_fmu.h"
#include "framework/diagnostics.h"
#include "results/comparison.h"

namespace davit {

/// What was found out about an FMU.
struct FmuCheck {
  FmuDescription description;
  FmuKind kind = FmuKind::kCoSimulation;  ///< what it was run as
  std::vector<std::string> platforms;
  std::size_t steps = 0;
  bool has_reference = false;
  std::size_t rows = 0;    ///< of the reference results
  Comparison comparison;   ///< of the reference results (A) with the run (B); only where there are some
  std::string not_finite;  ///< an output that was no finite number, and when; else empty
};

/// Runs an FMU through its default experiment: at the times of the reference results that it brings along, or
/// else in its own steps (a hundredth of the experiment where it recommends none), at most 100,000. As what
/// it is for: co-simulation, if it is for both and nothing else is asked for. An FMU for model exchange is
/// integrated with davit's usual tolerances.
///
/// Where no tolerances are given, co-simulation is compared with ComparisonTolerances, and model exchange,
/// which two solvers have integrated, with a share of 1e-3 of the largest value of each signal. At a time at
/// which the reference results have two rows, the sides of an event, the run may be on either.
///
/// What is wrong with the files goes to `diagnostics`. Throws std::runtime_error with what is wrong with the
/// archive or what the FMU has answered. The FMU is foreign code, which runs in this process.
FmuCheck CheckFmu(const std::filesystem::path& file, const std::optional<ComparisonTolerances>& tolerances,
                  Diagnostics& diagnostics, bool as_model_exchange = false);

}  // namespace davit
