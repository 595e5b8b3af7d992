#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "analysis/study/sampling.h"
#include "app/command_context.h"
#include "app/study_options.h"

namespace davit {

/// What `davit sweep` was asked to do.
struct SweepOptions {
  StudyOptions study;
  std::filesystem::path output;
  std::optional<std::filesystem::path> cases;  ///< CSV
  std::optional<std::uint64_t> samples;
  Sampling sampling = Sampling::kLatinHypercube;
  std::uint64_t seed = 1;
  bool is_resumed = false;
  std::string shard;          ///< `i/n`, as typed; empty: all cases
  bool keeps_curves = false;  ///< in a folder beside the table
  std::optional<std::filesystem::path> plot;
};

/// Runs a system for many values of its parameters and writes a table of measures. Returns 0 when the table
/// is written, also where cases have failed; 1 where all have failed, or a file could not be written; 2 for
/// wrong input.
int RunSweep(const SweepOptions& options, const Registry& registry, std::ostream& out, std::ostream& err);

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

/// Defines `davit sweep` and `davit collect`.
void AddSweepCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
