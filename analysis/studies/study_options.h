#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/case_runner.h"
#include "analysis/study/variation.h"

namespace davit {

struct StudyOption;

/// The options that all studies share. The options of one study derive from it; each member that a user sets
/// has a row in the table of the study (StudyOption).
struct StudyOptions {
  std::filesystem::path system;
  std::optional<std::string> text = {};               ///< of the system, in place of its file
  SimulationOptions simulation = {};                  ///< of each run
  std::optional<std::string> stop = {};               ///< replaces StopTime
  std::optional<std::filesystem::path> summary = {};  ///< gets what was found, as JSON
  unsigned workers = 0;  ///< cases at a time; 0: as many as the machine has threads
  std::vector<VariationText> vary = {};
  std::vector<VariationText> measures = {};  ///< NAME=EXPR

  // What a front end adds.
  RankChannel* ranks = nullptr;     ///< the other processes of a parallel job
  std::filesystem::path file = {};  ///< that the study is written in; empty: none
  SourceLocation place = {};        ///< of the study in it
  /// How the front end writes an option, for messages: `--vary`; with an example `--vary 'load.mass=5 t'`.
  std::function<std::string(const StudyOption& option, std::string_view example)> spell = {};
  /// Further measures: `judge` makes the values `judged` of the curves of `probes`, see CaseSetup.
  std::vector<std::string> probes = {};
  std::vector<std::string> judged = {};
  std::function<std::vector<double>(const CaseCurves& curves)> judge = {};
};

}  // namespace davit
