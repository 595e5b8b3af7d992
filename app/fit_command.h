#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "app/study_options.h"

namespace davit {

/// What `davit fit` was asked to do.
struct FitOptions {
  StudyOptions study;
  std::filesystem::path data;
  std::vector<VariationText> matches;           ///< `PATH=COLUMN` or `PATH=COLUMN:WEIGHT`
  std::optional<std::string> offset;            ///< `LOW:HIGH` [s]
  int rounds = 50;                              ///< most steps
  std::optional<std::filesystem::path> output;  ///< model and data over time (.csv)
  std::optional<std::filesystem::path> plot;
};

/// Searches values of parameters for which signals follow measured ones: least squares. Returns 0 where they
/// were found, 1 where the search has not converged or the start fails, 2 for wrong input.
int RunFit(const FitOptions& options, const Registry& registry, std::ostream& out, std::ostream& err);

/// Defines `davit fit`.
void AddFitCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
