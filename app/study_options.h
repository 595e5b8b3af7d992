#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/study/case_runner.h"
#include "analysis/study/variation.h"
#include "app/command_context.h"
#include "app/interrupt.h"
#include "app/output_paths.h"
#include "app/progress_bar.h"

namespace CLI {
class Option;
}

namespace davit {

/// What every command asks for that runs a system many times.
struct StudyOptions {
  std::filesystem::path system;
  LoadOptions load;
  std::optional<std::string> stop;  ///< replaces StopTime, as typed
  bool is_steady = false;
  unsigned workers = 0;  ///< cases at a time; 0: as many as the machine has threads
  bool is_quiet = false;
  std::vector<VariationText> vary;
  std::vector<VariationText> measures;  ///< NAME=EXPR
  RankChannel* ranks = nullptr;         ///< of CommandContext
  std::filesystem::path file = {};      ///< that the study is written in; empty: none
};

/// SYSTEM, --vary, --stop, --set, --level, --at, --steady, -j, --quiet.
/// `options` outlives the command; `vary` says what a --vary, or the option `name` in its place, looks like.
void AddStudyOptions(CLI::App& command, StudyOptions& options, const std::string& vary,
                     const std::string& name = "--vary");

/// The option --measure.
void AddMeasureOption(CLI::App& command, StudyOptions& options);

/// `NAME=EXPR` as definitions; faults go to `diagnostics`.
std::vector<MeasureDefinition> ReadMeasureOptions(const std::vector<VariationText>& texts,
                                                  Diagnostics& diagnostics);

/// An option that may be given several times: its texts with their places, `--match load.x=x`.
CLI::Option* AddTexts(CLI::App& command, const std::string& name, std::vector<VariationText>& texts,
                      const std::string& description);

/// How the cases of a study are run.
CaseSetup MakeCaseSetup(const StudyOptions& options);

/// The system of a study, to look names up in, and to run the first cases. Null after printing what is wrong.
std::unique_ptr<Simulation> LoadStudySystem(const StudyOptions& options, const Registry& registry,
                                            std::ostream& err);

/// All files that a study reads; `tables`: of measured values or cases.
std::vector<std::filesystem::path> StudyInputs(const StudyOptions& options, const Simulation& simulation,
                                               const std::vector<std::filesystem::path>& tables = {});

/// Runs a study that has been checked: what is wrong is printed, also what `execute` throws. Exit code: that
/// of `execute`; wrong input too where an output cannot be written before `has_rows`.
int ExecuteStudy(const Diagnostics& diagnostics, std::ostream& err, const std::function<int()>& execute,
                 const std::function<bool()>& has_rows);

/// What a study shows while it goes on: a line with the time left; Ctrl-C, which gives up the cases that run.
class StudyWatch {
 public:
  StudyWatch(std::ostream& err, bool is_quiet, std::uint64_t cases);
  /// One more case, or several, have ended.
  void Show(std::uint64_t done, const std::string& what = {});
  void Clear() { bar_.Clear(); }
  /// Requested by Ctrl-C.
  std::stop_token stop() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  ProgressBar bar_;
  std::uint64_t cases_;
  Interrupt interrupt_;
};

/// In use where none is asked for.
unsigned WorkersOf(const StudyOptions& options);

}  // namespace davit
