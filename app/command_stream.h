#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/interrupt.h"
#include "app/line_input.h"
#include "app/run_messages.h"
#include "framework/xml/command_line.h"
#include "session/simulation.h"

namespace davit {

/// `--commands`: lines that come during a run are checked and handed to the simulation; pause,
/// continue and stop are done here.
///
/// Call sequence: after the run has begun, Take and WaitWhilePaused before each step, until is_stopped. A
/// regular file is read as fast as there is room, so what it does is repeatable; a pipe or terminal is looked
/// at a thousand times a second. A wrong line is answered on the terminal and changes nothing.
class CommandStream {
 public:
  /// So many commands may wait for their time; then lines are left where they are until there is room.
  static constexpr std::size_t kMostPending = 10'000;

  /// `file` is `-` for the standard input. All must outlive the stream. Throws std::runtime_error where the
  /// file cannot be read.
  CommandStream(const std::filesystem::path& file, Simulation& simulation, RunMessages& messages);

  /// Hands on what has come.
  void Take();
  /// Whether no more lines can come.
  bool is_at_end() const { return is_at_end_; }
  /// Whether a line has asked to pause, and none to continue since.
  bool is_paused() const { return is_paused_; }
  /// Whether a line has asked for the end, at a time that is reached.
  bool is_stopped() const { return is_stopped_; }
  /// While a line has asked to pause, waits for one to continue; the end of the lines ends the pause, too.
  /// Returns how long it has waited. An interruption ends it.
  std::chrono::nanoseconds WaitWhilePaused(Interrupt& interrupt);

 private:
  /// A pause or the end at a time.
  struct Control {
    double time;
    CommandLine::Action action;
  };

  /// Reads lines while there are some and there is room.
  void Read();
  bool has_room() const { return simulation_.manager().pending_commands() + controls_.size() < kMostPending; }
  void Obey(const std::string& text);
  void AddControl(const CommandLine& line, const SourceLocation& place);
  void Continue();
  void ObeyDueControls();
  void Log(const std::string& text);

  LineInput input_;
  std::shared_ptr<const std::string> name_;
  Simulation& simulation_;
  RunMessages& messages_;
  std::deque<Control> controls_;  ///< by time
  bool is_paused_ = false;
  bool is_stopped_ = false;
  bool is_at_end_ = false;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace davit
