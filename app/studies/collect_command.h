#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <vector>

#include "app/command_context.h"

namespace davit {

/// What `davit collect` was asked to do.
struct CollectOptions {
  std::vector<std::filesystem::path> tables;
  std::filesystem::path output;
  std::optional<std::uint64_t> cases;  ///< how many the study has
  bool is_partial = false;             ///< cases may be missing
};

/// Joins the tables of shards. Returns 0, 1 where cases are missing or the file cannot be written, 2 for
/// wrong input.
int RunCollect(const CollectOptions& options, std::ostream& out, std::ostream& err);

/// Defines `davit collect`.
void AddCollectCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
