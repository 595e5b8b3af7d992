#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/progress_bar.h"
#include "framework/diagnostics.h"
#include "framework/run_log.h"

namespace davit {

/// Which lines of the event log `davit run` shows, and where it writes all of them.
struct MessageOptions {
  bool is_quiet = false;                           ///< errors only
  bool is_verbose = false;                         ///< every line
  std::optional<std::filesystem::path> file = {};  ///< takes every line
};

/// What `davit run` says while a system runs: the lines of its event log. The terminal gets what matters, a
/// file gets everything.
///
/// Of lines that are alike but for their numbers the terminal gets the first kMostAlike, the rest is counted.
/// Call sequence: Open before the run, Take for each line, Finish after it.
class RunMessages {
 public:
  /// Of lines that are alike so many are shown.
  static constexpr std::uint64_t kMostAlike = 3;

  /// `bar` is taken away before each line on `err`. All must outlive the messages.
  RunMessages(MessageOptions options, ProgressBar& bar, std::ostream& err);

  /// Lines below it are not needed at all.
  RunLog::Severity threshold() const;
  /// Makes the file. Throws std::runtime_error where it cannot be written.
  void Open();
  /// A line of the event log.
  void Take(RunLog::Severity severity, std::string_view line);
  /// Answers to the user that are no part of the event log.
  void Print(const Diagnostics& diagnostics);
  /// A line of the file alone.
  void WriteToFile(std::string_view line);
  /// Tells how many lines were not shown and where they are, and closes the file. Throws std::runtime_error
  /// where it could not be written.
  void Finish();

 private:
  /// Lines that are alike.
  struct Kind {
    std::uint64_t count = 0;
    std::size_t place = 0;  ///< among all kinds
    std::string last;       ///< of those that were not shown
  };

  bool IsShown(RunLog::Severity severity) const;
  /// Whether the line is one of the first of its kind; else it is counted.
  bool IsNew(std::string_view line);
  void PrintCounts();

  MessageOptions options_;
  ProgressBar& bar_;
  std::ostream& err_;
  std::ofstream file_;
  std::unordered_map<std::string, Kind> kinds_;
};

}  // namespace davit
