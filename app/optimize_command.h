#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/optimization.h"
#include "app/command_context.h"
#include "app/study_options.h"

namespace davit {

/// What `davit optimize` was asked to do.
struct OptimizeOptions {
  StudyOptions study;
  /// An expression of measures, and whether it is to be maximised.
  struct Goal {
    std::string text;
    bool is_maximum = false;
    SourceLocation place = {};
  };
  std::vector<Goal> goals;
  std::vector<VariationText> constraints;  ///< `EXPR <= EXPR` or `EXPR >= EXPR`
  OptimizationMethod method = OptimizationMethod::kAuto;
  std::uint64_t budget = 500;  ///< cases
  double tolerance = 1e-4;     ///< shares of the way between the bounds
  std::uint64_t seed = 1;
  std::optional<std::filesystem::path> output;      ///< all cases
  std::optional<std::filesystem::path> start_from;  ///< a table whose best case is the start
  std::optional<std::filesystem::path> plot;        ///< history of one objective, or the front of two
  bool is_resumed = false;
};

/// Searches values of parameters for which a measure is smallest. Returns 0 where a point was found that
/// holds the constraints, 1 where none was found, 2 for wrong input.
int RunOptimize(const OptimizeOptions& options, const Registry& registry, std::ostream& out,
                std::ostream& err);

/// Defines `davit optimize`.
void AddOptimizeCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
