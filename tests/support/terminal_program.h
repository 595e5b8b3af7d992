#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// A program at a terminal of its own (a pseudo-terminal), which a test types at.
class TerminalProgram {
 public:
  explicit TerminalProgram(const std::vector<std::string>& arguments);
  /// Ends it if it still runs.
  ~TerminalProgram();
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  void Type(std::string_view keys) const;
  /// What has been shown since the last call, as soon as it has `text`, or when the program has ended or
  /// nothing has come for half a minute.
  std::string Await(std::string_view text);
  /// Waits for its end and returns its exit code; -1 after a signal, which it gets when nothing comes for
  /// half a minute.
  int Finish();

 private:
  /// Reads what comes next; false at the end.
  bool ReadMore();

  pid_t process_ = -1;
  int terminal_ = -1;
  std::string shown_;
  bool is_silent_ = false;  ///< nothing has come for too long
};

}  // namespace davit
