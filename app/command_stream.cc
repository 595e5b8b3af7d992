#include "app/command_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <utility>

#include "app/print_diagnostics.h"
#include "framework/run_log.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{1};

}  // namespace

CommandStream::CommandStream(const std::filesystem::path& file, System& system, std::ostream& err)
    : input_(file),
      name_(std::make_shared<const std::string>(file == "-" ? "stdin" : file.string())),
      system_(system),
      manager_(SimulatorManager::Of(system)),
      err_(err) {}

void CommandStream::Take() {
  if (!is_at_end_) {
    if (input_.is_regular_file()) {
      Read();
    } else if (const Clock::time_point now = Clock::now(); now >= next_look_) {
      next_look_ = now + kBetweenLooks;
      Read();
    }
  }
  ObeyDueControls();
}

void CommandStream::Read() {
  std::string line;
  while (!is_at_end_ && !is_stopped_ && manager_.pending_commands() + controls_.size() < kMostPending) {
    switch (input_.Read(line)) {
      case LineInput::Result::kLine: Obey(line); break;
      case LineInput::Result::kTooLong: {
        Diagnostics diagnostics;
        diagnostics.Error({name_, input_.line_number()}, {},
                          fmt::format("the line has more than {} characters; write a shorter one",
                                      LineInput::kLongestLine));
        Answer(diagnostics);
        break;
      }
      case LineInput::Result::kNothing: return;
      case LineInput::Result::kEnd: is_at_end_ = true; break;
    }
  }
}

void CommandStream::Obey(const std::string& text) {
  Diagnostics diagnostics;
  std::optional<CommandLine> line =
      ParseCommandLine(system_, text, {name_, input_.line_number()}, diagnostics);
  if (!line) return Answer(diagnostics);
  const double now = manager_.time();
  const double time = line->time.value_or(now);
  if (line->action == CommandLine::Action::kNone) return;
  if (line->time && time < now - SimulatorManager::kSameStep * manager_.time_step()) {
    if (time < manager_.begin_time()) {
      return Log(fmt::format("line {} belongs to the time before the snapshot and is left out",
                             input_.line_number()));
    }
    Log(fmt::format("line {} comes late: its time was {:.9g} s", input_.line_number(), time));
  }
  switch (line->action) {
    case CommandLine::Action::kNone: break;
    case CommandLine::Action::kCommand:
      line->command->time = time;
      line->command->sender = fmt::format("{}:{}", *name_, input_.line_number());
      manager_.Submit(std::move(*line->command));
      break;
    case CommandLine::Action::kContinue:
      Log(is_paused_ ? "continue" : "continue: it does not pause");
      is_paused_ = false;
      break;
    case CommandLine::Action::kPause:
    case CommandLine::Action::kStop: {
      const auto place = std::upper_bound(controls_.begin(), controls_.end(), time,
                                          [](double t, const Control& control) { return t < control.time; });
      controls_.insert(place, {time, line->action});
      ObeyDueControls();
      break;
    }
  }
}

void CommandStream::ObeyDueControls() {
  while (!controls_.empty() && manager_.HasReached(controls_.front().time)) {
    const CommandLine::Action action = controls_.front().action;
    controls_.pop_front();
    if (action == CommandLine::Action::kStop) {
      is_stopped_ = true;
      Log("stop");
    } else if (!std::exchange(is_paused_, true)) {
      Log("pause");
    }
  }
}

std::chrono::nanoseconds CommandStream::WaitWhilePaused(Interrupt& interrupt) {
  if (!is_paused_ || is_stopped_) return {};
  const Clock::time_point begin = Clock::now();
  while (is_paused_ && !is_stopped_) {
    Read();
    if (!is_paused_ || is_stopped_) break;
    if (is_at_end_) {
      Log("no more commands can come: it goes on");
      is_paused_ = false;
    } else if (manager_.pending_commands() + controls_.size() >= kMostPending) {
      Log("no room for more commands while it pauses: it goes on");
      is_paused_ = false;
    } else if (interrupt.WaitForInput(input_.descriptor())) {
      break;
    }
  }
  return Clock::now() - begin;
}

void CommandStream::Answer(const Diagnostics& diagnostics) {
  PrintDiagnostics(diagnostics, err_);
  err_.flush();
}

void CommandStream::Log(const std::string& text) {
  RunLog* const log = system_.root().run_log();
  if (log == nullptr) return;
  log->set_time(manager_.time());
  log->Write(RunLog::Severity::kInfo, {}, text);
}

}  // namespace davit
