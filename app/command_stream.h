#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "app/interrupt.h"
#include "app/line_source.h"
#include "app/run_messages.h"
#include "framework/xml/command_line.h"
#include "session/run_condition.h"
#include "session/simulation.h"

namespace davit {

/// `--commands`: lines that come during a run are checked and handed to the simulation; what is for the run
/// as a whole is done here. What is asked for is answered in one line each.
///
/// Call sequence: after the run has begun, Take and WaitWhilePaused before each step, until is_stopped. A
/// regular file is read as fast as there is room, so what it does is repeatable; a pipe or terminal is looked
/// at a thousand times a second. A wrong line is answered on the terminal and changes nothing.
class CommandStream {
 public:
  /// So many commands may wait for their time; then lines are left where they are until there is room.
  static constexpr std::size_t kMostPending = 10'000;

  /// `file` is `-` for the standard input; answers go to `out`. All must outlive the stream. Throws
  /// std::runtime_error where the file cannot be read.
  CommandStream(const std::filesystem::path& file, Simulation& simulation, RunMessages& messages,
                std::ostream& out);
  /// The same for lines of another source, which faults call `name`.
  CommandStream(std::unique_ptr<LineSource> input, std::string name, Simulation& simulation,
                RunMessages& messages, std::ostream& out);

  /// Hands on what has come.
  void Take();
  /// Whether no more lines can come.
  bool is_at_end() const { return is_at_end_; }
  /// Whether a line has asked to pause, and none to continue since.
  bool is_paused() const { return is_paused_; }
  /// Whether a line has asked for the end, at a time that is reached.
  bool is_stopped() const { return is_stopped_; }
  /// As a line that asks to pause; with `is_quiet` it is not logged. The answer of `until` comes now.
  void Pause(bool is_quiet = false);
  /// While a line has asked to pause, waits for one to continue; the end of the lines ends the pause, too.
  /// Returns how long it has waited. An interruption ends it.
  std::chrono::nanoseconds WaitWhilePaused(Interrupt& interrupt);

  /// What cannot be done inside of a run: the state is written or read, or the run moves in its time.
  struct RunRequest {
    CommandLine line;
    SourceLocation place;
  };
  /// What must be done between two runs, once; lines wait until it is. The caller ends the run, calls Serve,
  /// and runs again.
  std::optional<RunRequest> TakeRequest();
  bool has_request() const { return request_.has_value(); }
  /// Between two runs. `load` reads the file of a state; what goes to another time pauses the run.
  void Serve(const RunRequest& request,
             const std::function<Diagnostics(const std::filesystem::path& file)>& load);

 private:
  /// What happens at a time.
  struct Control {
    double time;
    CommandLine line;
    SourceLocation place;
  };

  /// Reads lines while there are some and there is room.
  void Read();
  /// Whether lines may be read: not while one is carried out.
  bool is_ready() const { return !is_at_end_ && !is_stopped_ && !until_ && !request_ && has_room(); }
  bool has_room() const { return simulation_.manager().pending_commands() + controls_.size() < kMostPending; }
  void Obey(const std::string& text);
  void AddControl(CommandLine line, const SourceLocation& place);
  void Continue();
  void BeginUntil(const CommandLine& line, const SourceLocation& place);
  /// Of `until`, whether it has come.
  bool IsThere();
  /// Returns what is to be answered.
  std::string Move(const CommandLine& line);
  std::string ListBranches() const;
  void ObeyDueControls();
  void ObeyNow(const Control& control);
  void AnswerGet(const std::string& path, const SourceLocation& place);
  void AnswerList(const std::string& glob, const SourceLocation& place);
  void AnswerWhy(const CommandLine& line, const SourceLocation& place);
  void AnswerHelp(const std::string& verb, const SourceLocation& place);
  /// One line, immediately: a program may wait for it.
  void Answer(const std::string& text);
  void Refuse(const SourceLocation& place, std::string_view fault);
  void Log(const std::string& text);

  std::unique_ptr<LineSource> input_;
  std::shared_ptr<const std::string> name_;
  Simulation& simulation_;
  RunMessages& messages_;
  std::ostream& out_;
  std::deque<Control> controls_;  ///< by time
  /// What `until` waits for: a time [s], or that a condition becomes true.
  struct Until {
    std::optional<double> time;
    std::unique_ptr<RunCondition> condition;
    bool is_there = false;
    bool was_true = false;  ///< when the line came, so it must become false first
  };
  std::optional<Until> until_;
  std::optional<RunRequest> request_;
  bool is_request_taken_ = false;
  bool is_paused_ = false;
  bool is_stopped_ = false;
  bool is_at_end_ = false;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace davit
