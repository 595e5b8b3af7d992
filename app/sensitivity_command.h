#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <vector>

#include "app/command_context.h"
#include "app/study_options.h"

namespace davit {

/// How slopes are found.
enum class SensitivityMethod : std::uint8_t {
  kAuto,         ///< the variational equations where they describe the run, else differences
  kVariational,  ///< an error where they do not
  kDifferences,
};

/// What `davit sensitivity` was asked to do.
struct SensitivityOptions {
  StudyOptions study;             ///< `vary` has the parameters: PATH, or PATH=DISTRIBUTION for samples
  std::vector<VariationText> of;  ///< NAME=EXPR or EXPR
  SensitivityMethod method = SensitivityMethod::kAuto;
  double step = 0.01;                   ///< of differences of runs, as a share of the value
  std::optional<std::uint64_t> sobol;   ///< samples of Sobol indices
  std::optional<std::uint64_t> morris;  ///< trajectories of elementary effects
  std::uint64_t seed = 1;
  std::optional<std::filesystem::path> output;  ///< table (.csv)
  std::optional<std::filesystem::path> curves;  ///< slopes of the signals over time (.csv)
  std::optional<std::filesystem::path> plot;
};

/// Tells how measures of a run depend on parameters: their slopes near the values of the system, shares of
/// the variance (Sobol indices), or elementary effects (Morris screening). Returns 0, 1 where a run has
/// failed or was interrupted, 2 for wrong input.
int RunSensitivity(const SensitivityOptions& options, const Registry& registry, std::ostream& out,
                   std::ostream& err);

/// Defines `davit sensitivity`.
void AddSensitivityCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
