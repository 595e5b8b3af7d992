#include "app/command_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/run_log.h"
#include "session/request_taker.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{1};

}  // namespace

CommandStream::CommandStream(const std::filesystem::path& file, Simulation& simulation, RunMessages& messages)
    : input_(file),
      name_(std::make_shared<const std::string>(file == "-" ? "stdin" : file.string())),
      simulation_(simulation),
      messages_(messages) {}

void CommandStream::Take() {
  if (!is_at_end_) {
    if (input_.is_regular_file()) {
      Read();
    } else if (const Clock::time_point now = Clock::now(); now >= next_look_) {
      Read();
      // What brings lines without end gets half of the time.
      const Clock::time_point end = Clock::now();
      next_look_ = end + std::max<Clock::duration>(kBetweenLooks, end - now);
    }
  }
  ObeyDueControls();
}

void CommandStream::Read() {
  std::string line;
  const std::size_t most = input_.read() + LineInput::kMostBytes;
  while (!is_at_end_ && !is_stopped_ && has_room()) {
    if (!input_.is_regular_file() && input_.read() >= most) return;
    switch (input_.Read(line)) {
      case LineInput::Result::kLine: Obey(line); break;
      case LineInput::Result::kTooLong: {
        Diagnostics diagnostics;
        diagnostics.Error({name_, input_.line_number()}, {},
                          fmt::format("the line has more than {} characters; write a shorter one",
                                      LineInput::kLongestLine));
        messages_.Print(diagnostics);
        break;
      }
      case LineInput::Result::kCutOff: {
        Diagnostics diagnostics;
        diagnostics.Error(
            {name_, input_.line_number()}, {},
            "the last line has no end, so it may be cut off, and is ignored; end it with a line break");
        messages_.Print(diagnostics);
        break;
      }
      case LineInput::Result::kNothing: return;
      case LineInput::Result::kEnd: is_at_end_ = true; break;
    }
  }
}

void CommandStream::Obey(const std::string& text) {
  const SourceLocation place{name_, input_.line_number()};
  Diagnostics diagnostics;
  std::optional<CommandLine> line = ParseCommandLine(simulation_.system(), text, place, diagnostics);
  if (!line) return messages_.Print(diagnostics);
  switch (line->action) {
    case CommandLine::Action::kNone: break;
    case CommandLine::Action::kCommand: simulation_.Submit(std::move(*line), place); break;
    case CommandLine::Action::kContinue: Continue(); break;
    case CommandLine::Action::kPause:
    case CommandLine::Action::kStop: AddControl(*line, place); break;
  }
}

void CommandStream::AddControl(const CommandLine& line, const SourceLocation& place) {
  const double time = line.time.value_or(simulation_.time());
  const Lateness lateness = LatenessOf(simulation_.manager(), time, place);
  if (!lateness.text.empty()) Log(lateness.text);
  if (lateness.is_lost) return;
  const auto at = std::ranges::upper_bound(controls_, time, {}, &Control::time);
  controls_.insert(at, {time, line.action});
  ObeyDueControls();
}

void CommandStream::Continue() {
  Log(is_paused_ ? "continue" : "continue: the run is not paused");
  is_paused_ = false;
}

void CommandStream::ObeyDueControls() {
  while (!controls_.empty() && simulation_.manager().HasReached(controls_.front().time)) {
    const CommandLine::Action action = controls_.front().action;
    controls_.pop_front();
    if (action == CommandLine::Action::kStop) {
      is_stopped_ = true;
      Log("stop");
    } else if (!std::exchange(is_paused_, true)) {
      Log("pause");
      simulation_.FlushRecordings();
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
      Log("no more commands can come: the run resumes");
      is_paused_ = false;
    } else if (!has_room()) {
      Log("no room for more commands during the pause: the run resumes");
      is_paused_ = false;
    } else if (interrupt.WaitForInput(input_.descriptor())) {
      break;
    }
  }
  return Clock::now() - begin;
}

void CommandStream::Log(const std::string& text) {
  RunLog* const log = simulation_.system().root().run_log();
  log->set_time(simulation_.time());
  log->Write(RunLog::Severity::kInfo, {}, text);
}

}  // namespace davit
