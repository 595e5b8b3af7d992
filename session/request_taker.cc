#include "session/request_taker.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "framework/counted.h"
#include "framework/run_log.h"
#include "framework/xml/command_line.h"

namespace davit {
namespace {

SourceLocation PlaceOf(const Request& request) {
  return {std::make_shared<const std::string>(request.sender), request.line};
}

/// For the log: `panel`, `commands.txt:5`.
std::string SenderOf(const SourceLocation& place) {
  const std::string name = place.file == nullptr ? std::string() : *place.file;
  return place.line > 0 ? fmt::format("{}:{}", name, place.line) : name;
}

/// `line 5`, or who it was.
std::string NameOf(const SourceLocation& place) {
  if (place.line > 0) return fmt::format("line {}", place.line);
  const bool is_known = place.file != nullptr && !place.file->empty();
  return is_known ? "a request of " + *place.file : "a request";
}

RequestAnswer Refuse(const Diagnostics& diagnostics) {
  return {.is_accepted = false, .text = ToText(diagnostics)};
}

}  // namespace

Lateness LatenessOf(const SimulatorManager& manager, double time, const SourceLocation& place) {
  if (time >= manager.time() - SimulatorManager::kSameStep * manager.time_step()) return {};
  if (time < manager.begin_time())
    return {true, NameOf(place) + " belongs to the time before the snapshot and is ignored"};
  return {false, fmt::format("{} is late: its time was {:.9g} s", NameOf(place), time)};
}

RequestAnswer RequestTaker::Take(const Request& request) {
  return request.items.size() > 0 || request.command.empty() ? TakeNumbers(request) : TakeText(request);
}

RequestAnswer RequestTaker::TakeText(const Request& request) {
  Diagnostics diagnostics;
  const SourceLocation place = PlaceOf(request);
  std::optional<CommandLine> line = ParseCommandLine(system_, request.command, place, diagnostics);
  if (!line) return Refuse(diagnostics);
  if (line->action == CommandLine::Action::kCommand) return Submit(std::move(*line), place);
  diagnostics.Error(place, {},
                    line->action == CommandLine::Action::kNone
                        ? "no command; write for example 'set load.mass 5 t'"
                        : "only the program that runs the system takes this; a request is one of set, level, "
                          "message, event");
  return Refuse(diagnostics);
}

RequestAnswer RequestTaker::TakeNumbers(const Request& request) {
  Diagnostics diagnostics;
  const SourceLocation place = PlaceOf(request);
  const ItemList& items = request.items;
  if (items.size() == 0) {
    diagnostics.Error(place, {}, "neither a command nor items to write; give one of them");
  } else if (items.owner() != &system_) {
    diagnostics.Error(place, {}, "the items belong to another simulation; find them with Items of this one");
  } else if (items.size() != request.values.size()) {
    diagnostics.Error(place, {},
                      fmt::format("{} for {}; give one for each", Counted(request.values.size(), "value"),
                                  Counted(items.size(), "item")));
  }
  if (request.time && !std::isfinite(*request.time))
    diagnostics.Error(place, {},
                      fmt::format("time: {} is not a finite number; write one in seconds", *request.time));
  if (diagnostics.has_errors()) return Refuse(diagnostics);
  std::vector<Command> commands;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const TreeItem& item = items.at(i);
    const double value = request.values[i];
    if (const Fault fault = item.FaultOfWrite(value)) {
      diagnostics.Error(place, system_.OwnerOf(system_.root(), item.path()).DisplayPath(), fault);
    } else {
      commands.push_back({.action = item.LaterWriteOf(value)});
    }
  }
  return diagnostics.has_errors() ? Refuse(diagnostics) : SubmitAll(std::move(commands), request.time, place);
}

RequestAnswer RequestTaker::Submit(CommandLine line, const SourceLocation& place) {
  std::vector<Command> commands;
  commands.push_back(std::move(*line.command));
  return SubmitAll(std::move(commands), line.time, place);
}

RequestAnswer RequestTaker::SubmitAll(std::vector<Command> commands, std::optional<double> time,
                                      const SourceLocation& place) {
  const double due = time.value_or(manager_.time());
  const Lateness lateness = LatenessOf(manager_, due, place);
  if (!lateness.text.empty()) Log(lateness.text);
  if (lateness.is_lost) return {false, lateness.text};
  for (Command& command : commands) {
    command.time = due;
    command.sender = SenderOf(place);
    manager_.Submit(std::move(command));
  }
  return {true, lateness.text};
}

void RequestTaker::Log(std::string_view text) {
  RunLog* const log = system_.root().run_log();
  if (log == nullptr) return;
  log->set_time(manager_.time());
  log->Write(RunLog::Severity::kInfo, {}, text);
}

}  // namespace davit
