#pragma once

#include <filesystem>
#include <iosfwd>

#include "app/command_context.h"

namespace davit {

struct CompareOptions {
  std::filesystem::path a;
  std::filesystem::path b;
  double rtol = 1e-9;
  double atol = 1e-12;
  double time_tol = 0;                 ///< [s]
  std::filesystem::path summary = {};  ///< of systems: the differences as JSON
};

/// `davit compare`: a table on `out` with the worst point of each signal, messages on `err`. Returns 0 if the
/// results are the same within the tolerances, 1 if not, and 2 if one of them cannot be read or a tolerance
/// is wrong.
int RunCompare(const CompareOptions& options, std::ostream& out, std::ostream& err);

/// The same for two versions of a system: a list of what differs. Returns 0 if at most the layout does.
int RunCompareSystems(const CompareOptions& options, std::ostream& out, std::ostream& err);

/// Defines `davit compare`.
void AddCompareCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
