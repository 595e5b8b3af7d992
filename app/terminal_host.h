#pragma once

#include "app/command_stream.h"
#include "app/interrupt.h"
#include "app/progress_bar.h"
#include "session/simulation.h"

namespace davit {

/// Says on the terminal that the run ends at the next step point. From any thread.
void WriteInterruption(int signal);

/// What `davit run` adds to a run: Ctrl-C, the lines of a command stream, the progress bar.
class TerminalHost final : public RunHost {
 public:
  /// `commands` may be null, and `exchange`, which is called before each step, empty. All must outlive the
  /// host.
  TerminalHost(Simulation& simulation, CommandStream* commands, const PartnerExchange& exchange,
               ProgressBar& progress)
      : simulation_(simulation),
        commands_(commands),
        exchange_(exchange),
        interrupt_({.on_first = [this](int signal) { AnswerSignal(signal); },
                    .after_patience = [this] { simulation_.RequestStopInside(); }}),
        progress_(progress) {}

  Clock::duration BeforeStep() override;
  void LookAround() override;
  bool SleepUntil(Clock::time_point when) override;
  /// At the end of a run: what the lines behind it ask for between two runs; false where they want no more.
  bool WaitForRequest();
  /// Whether the run has ended because nobody could send the Start it waited for.
  bool has_no_start() const { return has_no_start_; }
  /// Whether the user has ended the run.
  bool is_interrupted() const { return interrupt_.IsRequested(); }

 private:
  void LookForInterrupt();
  /// By the thread that listens for signals.
  void AnswerSignal(int signal);

  Simulation& simulation_;
  CommandStream* commands_;
  const PartnerExchange& exchange_;
  Interrupt interrupt_;
  ProgressBar& progress_;
  Clock::time_point next_look_ = Clock::now();
  bool is_interrupted_ = false;
  bool has_no_start_ = false;
  int waits_at_end_ = 0;  ///< for Start, since the commands have ended
};

}  // namespace davit
