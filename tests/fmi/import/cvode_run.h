#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace davit {

/// States of an FMU for model exchange at some times.
struct StateTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  ///< one for each time
};

/// Integrates an unpacked FMU with SUNDIALS CVODE from its start values on: BDF with both tolerances at
/// `tolerance`, its own search for roots of the event indicators, time events as stop times,
/// completedIntegratorStep after each step. `times` grow, the first one is the start. Throws FmuFailure and
/// std::runtime_error.
StateTable RunWithCvode(const std::filesystem::path& folder, std::span<const double> times, double tolerance);

}  // namespace davit
