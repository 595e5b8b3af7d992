#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/least_squares.h"
#include "app/command_context.h"
#include "app/study_options.h"

namespace davit {

/// What `davit fit` was asked to do.
struct FitOptions {
  StudyOptions study;
  std::vector<std::filesystem::path> data;  ///< one for each experiment
  std::vector<VariationText> per_data;      ///< `PATH=VALUE,VALUE ...`: one for each experiment
  std::vector<VariationText> matches;       ///< `PATH=COLUMN` or `PATH=COLUMN:WEIGHT`
  std::optional<std::string> offset;        ///< `LOW:HIGH` [s]
  LeastSquaresOptions search;
  std::optional<std::filesystem::path> output;  ///< model and data over time (.csv)
  std::optional<std::filesystem::path> plot;
};

/// Searches values of parameters for which signals follow measured ones: least
/// squares, or another loss. Returns 0 where they
/// were found, 1 where the search has not converged or the start fails, 2 for wrong input.
int RunFit(const FitOptions& options, const Registry& registry, std::ostream& out, std::ostream& err);

/// Defines `davit fit`.
void AddFitCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
