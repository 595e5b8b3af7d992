#include "app/command_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/line_input.h"
#include "framework/nearest_name.h"
#include "framework/run_log.h"
#include "framework/tree/glob.h"
#include "framework/xml/command_verb.h"
#include "session/request_taker.h"
#include "session/time_travel.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{1};

}  // namespace

CommandStream::CommandStream(const std::filesystem::path& file, Simulation& simulation, RunMessages& messages,
                             std::ostream& out)
    : CommandStream(std::make_unique<LineInput>(file), file == "-" ? "stdin" : file.string(), simulation,
                    messages, out) {}

CommandStream::CommandStream(std::unique_ptr<LineSource> input, std::string name, Simulation& simulation,
                             RunMessages& messages, std::ostream& out)
    : input_(std::move(input)),
      name_(std::make_shared<const std::string>(std::move(name))),
      simulation_(simulation),
      messages_(messages),
      out_(out) {}

void CommandStream::Take() {
  if (until_ && IsThere()) Pause();
  if (is_ready()) {
    if (input_->is_regular_file()) {
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
  const std::size_t most = input_->read() + LineSource::kMostBytes;
  while (is_ready()) {
    if (!input_->is_regular_file() && input_->read() >= most) return;
    switch (input_->Read(line)) {
      case LineSource::Result::kLine: Obey(line); break;
      case LineSource::Result::kTooLong: {
        Diagnostics diagnostics;
        diagnostics.Error({name_, input_->line_number()}, {},
                          fmt::format("the line has more than {} characters; write a shorter one",
                                      LineSource::kLongestLine));
        messages_.Print(diagnostics);
        break;
      }
      case LineSource::Result::kCutOff: {
        Diagnostics diagnostics;
        diagnostics.Error(
            {name_, input_->line_number()}, {},
            "the last line has no end, so it may be cut off, and is ignored; end it with a line break");
        messages_.Print(diagnostics);
        break;
      }
      case LineSource::Result::kNothing: return;
      case LineSource::Result::kEnd: is_at_end_ = true; break;
    }
  }
}

void CommandStream::Obey(const std::string& text) {
  const SourceLocation place{name_, input_->line_number()};
  Diagnostics diagnostics;
  std::optional<CommandLine> line = ParseCommandLine(simulation_.system(), text, place, diagnostics);
  if (!line) return messages_.Print(diagnostics);
  switch (line->action) {
    case CommandLine::Action::kNone: break;
    case CommandLine::Action::kCommand: simulation_.Submit(std::move(*line), place); break;
    case CommandLine::Action::kContinue: Continue(); break;
    case CommandLine::Action::kUntil: BeginUntil(*line, place); break;
    case CommandLine::Action::kGoTo:
    case CommandLine::Action::kWhy: {  // their times are no times to wait for
      controls_.push_front({simulation_.time(), *std::move(line), place});
      return ObeyDueControls();
    }
    default: AddControl(*std::move(line), place);
  }
}

void CommandStream::AddControl(CommandLine line, const SourceLocation& place) {
  const double time = line.time.value_or(simulation_.time());
  const Lateness lateness = LatenessOf(simulation_.manager(), time, place);
  if (!lateness.text.empty()) Log(lateness.text);
  if (lateness.is_lost) return;
  const auto at = std::ranges::upper_bound(controls_, time, {}, &Control::time);
  controls_.insert(at, {time, std::move(line), place});
  ObeyDueControls();
}

void CommandStream::Continue() {
  Log(is_paused_ ? "continue" : "continue: the run is not paused");
  is_paused_ = false;
}

void CommandStream::BeginUntil(const CommandLine& line, const SourceLocation& place) {
  Until until{.time = line.time, .condition = nullptr};
  if (!line.time) {
    try {
      until.condition = std::make_unique<RunCondition>(simulation_, line.argument);
      until.was_true = until.condition->IsTrue();
    } catch (const std::invalid_argument& fault) {
      return Refuse(place, fmt::format("until: {}", fault.what()));
    }
  } else if (simulation_.manager().HasReached(*line.time)) {
    return Refuse(
        place, fmt::format("until: the run is at {:.9g} s already; give a later time{}", simulation_.time(),
                           simulation_.time_travel() == nullptr ? "" : ", or go back with goto"));
  } else if (*line.time > simulation_.stop_time()) {
    return Refuse(place, fmt::format("until: the run ends at {:.9g} s; give a time before it, or --stop",
                                     simulation_.stop_time()));
  }
  until_ = std::move(until);
  is_paused_ = false;
}

bool CommandStream::IsThere() {
  if (until_->time) return until_->is_there = simulation_.manager().HasReached(*until_->time);
  return until_->is_there = until_->condition->HasBecomeTrue();
}

void CommandStream::Pause(bool is_quiet) {
  if (until_ && simulation_.is_finished()) IsThere();
  const std::optional<Until> until = std::exchange(until_, std::nullopt);
  if (std::exchange(is_paused_, true)) return;
  if (!is_quiet) Log("pause");
  simulation_.FlushRecordings();
  if (until)
    Answer(fmt::format("until {:.9g} s{}", simulation_.time(),
                       until->is_there || until->time ? ""
                       : until->was_true
                           ? ": the condition was true when the command came, and did not become true again"
                           : ": the condition did not become true"));
}

void CommandStream::ObeyDueControls() {
  while (!controls_.empty() && !request_ && !is_stopped_ &&
         simulation_.manager().HasReached(controls_.front().time)) {
    const Control control = std::move(controls_.front());
    controls_.pop_front();
    ObeyNow(control);
  }
}

void CommandStream::ObeyNow(const Control& control) {
  const CommandLine& line = control.line;
  switch (line.action) {
    case CommandLine::Action::kPause: return Pause();
    case CommandLine::Action::kGet: return AnswerGet(line.argument, control.place);
    case CommandLine::Action::kList: return AnswerList(line.argument, control.place);
    case CommandLine::Action::kHelp: return AnswerHelp(line.argument, control.place);
    case CommandLine::Action::kSave:
    case CommandLine::Action::kLoad:
    case CommandLine::Action::kGoTo:
    case CommandLine::Action::kBack:
    case CommandLine::Action::kBranch:
    case CommandLine::Action::kWhy: request_ = {line, control.place}; return;
    case CommandLine::Action::kQuit:
      Answer(fmt::format("quit {:.9g} s", simulation_.time()));
      [[fallthrough]];
    default: is_stopped_ = true; Log("stop");
  }
}

void CommandStream::AnswerGet(const std::string& path, const SourceLocation& place) {
  try {
    Answer(fmt::format("{} {}", path, simulation_.ReadText(path)));
  } catch (const std::invalid_argument& fault) {
    Refuse(place, fault.what());
  }
}

void CommandStream::AnswerList(const std::string& glob, const SourceLocation& place) {
  std::string paths;
  const System& system = simulation_.system();
  for (Component* component : system.components()) {
    for (const Item& item : system.ItemsOf(*component)) {
      if (item.kind() != Item::Kind::kStart && (glob.empty() || MatchesGlob(item.path(), glob)))
        paths.append(paths.empty() ? "" : " ").append(item.path());
    }
  }
  if (paths.empty()) return Refuse(place, "list: no item matches " + Quoted(glob) + "; try 'list *'");
  Answer(paths);
}

void CommandStream::AnswerHelp(const std::string& verb, const SourceLocation& place) {
  if (const CommandVerb* const one = FindCommandVerb(verb))
    return Answer(fmt::format("{}: {}; for example '{}'", UsageOf(*one), one->text, one->example));
  std::vector<std::string> names;
  std::string text;
  for (const CommandVerb& one : CommandVerbs()) {
    names.emplace_back(one.name);
    text += fmt::format("{}{:<26} {}", text.empty() ? "" : "\n", UsageOf(one), one.text);
  }
  if (!verb.empty())
    return Refuse(
        place, fmt::format("help: no command {}; {}", Quoted(verb), SuggestName("use one of", verb, names)));
  Answer(text);
}

void CommandStream::Answer(const std::string& text) { out_ << text << std::endl; }

void CommandStream::Refuse(const SourceLocation& place, std::string_view fault) {
  Diagnostics diagnostics;
  diagnostics.Error(place, {}, fault);
  messages_.Print(diagnostics);
}

std::optional<CommandStream::RunRequest> CommandStream::TakeRequest() {
  if (!request_ || std::exchange(is_request_taken_, true)) return std::nullopt;
  return request_;
}

void CommandStream::Serve(const RunRequest& request,
                          const std::function<Diagnostics(const std::filesystem::path& file)>& load) {
  request_.reset();
  is_request_taken_ = false;
  next_look_ = {};  // the lines behind it act here, too
  const CommandLine& line = request.line;
  std::string answer;
  try {
    switch (line.action) {
      case CommandLine::Action::kLoad: {
        const Diagnostics diagnostics = load(line.argument);
        messages_.Print(diagnostics);
        if (diagnostics.has_errors()) return;
        answer = fmt::format("load {} {:.9g} s", line.argument, simulation_.time());
        break;
      }
      case CommandLine::Action::kSave:
        simulation_.SaveState(std::filesystem::path(line.argument));
        answer = fmt::format("save {} {:.9g} s", line.argument, simulation_.time());
        break;
      case CommandLine::Action::kWhy: return AnswerWhy(line, request.place);
      default:
        answer = Move(line);
        if (line.action != CommandLine::Action::kBranch || !line.argument.empty()) Pause(true);
    }
  } catch (const SimulationFailure&) {
    throw;
  } catch (const std::invalid_argument& fault) {
    return Refuse(request.place, fault.what());
  } catch (const std::runtime_error& fault) {
    return Refuse(request.place, fault.what());
  }
  Answer(answer);
}

std::string CommandStream::Move(const CommandLine& line) {
  if (line.action == CommandLine::Action::kBranch && line.argument.empty()) return ListBranches();
  std::string verb = line.action == CommandLine::Action::kGoTo ? "goto" : "back";
  simulation_.Travel([&](TimeTravel& travel) {
    if (line.action == CommandLine::Action::kGoTo) return travel.GoTo(*line.time);
    if (line.action == CommandLine::Action::kBranch && line.argument == "here") {
      travel.BranchHere();
      verb = travel.tape()->name();
      return;
    }
    if (line.action == CommandLine::Action::kBranch) {
      verb = "branch " + line.argument;
      return travel.SwitchTo(line.argument);
    }
    if (line.argument.empty()) return travel.Back();
    RunCondition condition(simulation_, line.argument);
    if (!travel.BackUntil([&] { return condition.IsTrue(); }))
      throw std::invalid_argument(fmt::format(
          "back: the condition did not become true between {:.9g} s and now", travel.begin_time()));
  });
  return fmt::format("{} {:.9g} s", verb, simulation_.time());
}

std::string CommandStream::ListBranches() const {
  const TimeTravel* const travel = simulation_.time_travel();
  if (travel == nullptr) throw std::invalid_argument("this run is not recorded; begin it with --record DIR");
  std::string text;
  for (const auto& tape : travel->tapes()) {
    text += fmt::format("{}{} {:.9g} s to {:.9g} s{}", text.empty() ? "" : "\n", tape->name(),
                        tape->begin_time(), tape->end_time(), tape.get() == travel->tape() ? ", here" : "");
  }
  return text;
}

void CommandStream::AnswerWhy(const CommandLine& line, const SourceLocation& place) {
  if (simulation_.causes() == nullptr) return Refuse(place, "why: no causes are kept in this run");
  const std::vector<Reason> reasons = simulation_.Why(line.argument, line.time);
  if (reasons.empty())
    return Refuse(place,
                  fmt::format("why: {} has not changed in this run{}, as far as it is known", line.argument,
                              line.time ? fmt::format(" until {:.9g} s", *line.time) : std::string()));
  std::string text = "why " + line.argument;
  for (const Reason& reason : reasons) text += "\n" + ToText(reason);
  Answer(text);
}

std::chrono::nanoseconds CommandStream::WaitWhilePaused(Interrupt& interrupt) {
  if (!is_paused_ || is_stopped_) return {};
  const Clock::time_point begin = Clock::now();
  while (is_paused_ && !is_stopped_ && !request_) {
    Read();
    if (!is_paused_ || is_stopped_ || request_) break;
    if (is_at_end_) {
      if (!simulation_.is_finished()) Log("no more commands can come: the run resumes");
      is_paused_ = false;
    } else if (!has_room()) {
      Log("no room for more commands during the pause: the run resumes");
      is_paused_ = false;
    } else if (interrupt.WaitForInput(input_->descriptor())) {
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
